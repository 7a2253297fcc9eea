import { expect, test } from 'vitest';
import { compactDocument } from './policy-document.ts';

test('removes whitespace between tokens and nothing else', () => {
  const spaced =
    ' { "a b" : [ 1.50 , "x \\" : y" , { "c" : null } , { "c" : 12345678901234567890 } ] ,\n"c" : {} }\t';
  expect(compactDocument(spaced)).toEqual({
    document: '{"a b":[1.50,"x \\" : y",{"c":null},{"c":12345678901234567890}],"c":{}}',
  });
  const deep = `{"a":${'['.repeat(31)}${']'.repeat(31)}}`;
  expect(compactDocument(deep)).toEqual({ document: deep });
  // Long enough to overflow the stack of a regular expression.
  const long = `{"a":"${'\\n'.repeat(500_000)}"}`;
  expect(compactDocument(long)).toEqual({ document: long });
});

test('refuses a repeated member, but accepts a value that equals its name', () => {
  expect(compactDocument('{"a":{"b":1},"c":[{"b":1,"b":2}]}')).toEqual({
    fault: 'the member "b" is listed twice',
  });
  expect(compactDocument('{"a":"a","b":["a","a"]}')).toEqual({ document: '{"a":"a","b":["a","a"]}' });
});
