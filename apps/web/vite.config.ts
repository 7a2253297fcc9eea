import localesPlugin from '@react-aria/optimize-locales-plugin';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type PluginOption, type Rolldown } from 'vite';
import { gatherChunks } from './chunks/gather-chunks.ts';

/** Fonts are asked for together with the style sheet that names them, not after it. */
function preloadFonts(): Plugin {
  return {
    name: 'gatehouse:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter(
          (file) => /plex-(?:sans|mono)-latin-(?!ext).*\.woff2$/.test(file) && !file.includes('italic'),
        );
        return fonts.map((file) => ({
          tag: 'link',
          injectTo: 'head',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
        }));
      },
    },
  };
}

/**
 * React Aria checks at its start that the browser's language is well-formed by a call that has Chromium list all that
 * dates can be written in: 30 ms, more than all other modules of a list together. This call checks the same alone.
 */
function checkLocaleCheaply(): Plugin {
  const dear = 'Intl.DateTimeFormat.supportedLocalesOf(';
  let isFound = false;
  return {
    name: 'gatehouse:check-locale-cheaply',
    apply: 'build',
    transform: {
      filter: { id: /\/react-aria\/.*\/useDefaultLocale\.\w+$/ },
      handler(code) {
        isFound = code.includes(dear);
        return { code: code.replace(dear, 'Intl.getCanonicalLocales('), map: null };
      },
    },
    buildEnd(error) {
      if (error === undefined && !isFound)
        this.error('React Aria checks the language in another way: see whether this plugin is still needed.');
    },
  };
}

/**
 * Has Chromium compile all functions of a large file beside the main thread while the file arrives. By itself it compiles
 * each on the main thread when it is first called: 1,500 of them, a third of the time until a list stands. What is
 * compiled and never called costs less than what is no longer parsed twice. Other browsers read a comment.
 */
function compileWhileLoading({ modules }: Rolldown.RenderedChunk): string {
  const length = Object.values(modules).reduce((sum, { renderedLength }) => sum + renderedLength, 0);
  return length > 40_000 ? '//# allFunctionsCalledOnLoad' : '';
}

const plugins = (): PluginOption[] => [
  // What makes the route tree is in tsr.config.json, where a folder of routes also holds a screen's private parts: only
  // `index`, `route` and `__root` are routes.
  tanstackRouter({
    target: 'react',
    autoCodeSplitting: true,
    // What a screen loads comes with it: the entry carries addresses alone.
    codeSplittingOptions: {
      defaultBehavior: [
        ['loader', 'component'],
        ['errorComponent'],
        ['notFoundComponent'],
        ['pendingComponent'],
      ],
    },
  }),
  react({ jsxImportSource: '@gatehouse/ui' }),
  tailwindcss(),
  checkLocaleCheaply(),
  { ...localesPlugin.vite({ locales: ['en-US'] }), enforce: 'pre' as const },
];

export default defineConfig({
  plugins: [plugins(), preloadFonts(), gatherChunks(import.meta.dirname, plugins)],
  build: {
    manifest: true,
    target: 'es2023',
    // The content security policy allows files alone: nothing becomes a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Short names: the entry carries a list of them for every screen.
        chunkFileNames: 'assets/[hash:7].js',
        postBanner: compileWhileLoading,
      },
    },
  },
  server: {
    proxy: {
      '/api': { target: process.env.GATEHOUSE_DEV_API ?? 'http://127.0.0.1:8080', changeOrigin: false },
    },
  },
});
