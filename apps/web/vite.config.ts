import localesPlugin from '@react-aria/optimize-locales-plugin';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type PluginOption, type Rolldown } from 'vite';
import { gatherChunks } from './chunks/gather-chunks.ts';

/** Preloads fonts in parallel with the style sheet that names them. */
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
 * React Aria validates the browser's language at start, with a call that makes Chromium list all locales for
 * dates: 30 ms, more than all other modules of a list. This plugin substitutes a call that only validates.
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

/** Lists the children of routes without their names, which the router doesn't read and every visit would load. */
function unnamedChildren(): Plugin {
  return {
    name: 'gatehouse:unnamed-children',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/routeTree\.gen\.ts$/ },
      handler: (code) =>
        code.replaceAll(
          /^(const \w+Children): \w+ =\s+\{([^}]+)\}/gm,
          (_, name: string, routes: string) => `${name}: any = [${routes.replaceAll(/\w+:/g, '')}]`,
        ),
    },
  };
}

/**
 * Makes Chromium compile all functions of a large file off the main thread while it arrives. By default
 * Chromium compiles each on the main thread at its first call: for 1,500 functions, a third of the time until
 * a list is shown. Compiling some that are never called costs less. Other browsers see a comment.
 */
function compileWhileLoading({ modules }: Rolldown.RenderedChunk): string {
  const length = Object.values(modules).reduce((sum, { renderedLength }) => sum + renderedLength, 0);
  return length > 40_000 ? '//# allFunctionsCalledOnLoad' : '';
}

const plugins = (): PluginOption[] => [
  // tsr.config.json defines which files are routes. Folders of routes also hold a screen's private parts:
  // only `index`, `route` and `__root` are routes.
  tanstackRouter({
    target: 'react',
    autoCodeSplitting: true,
    // A screen is loaded with its parts: the entry holds only addresses.
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
  unnamedChildren(),
  { ...localesPlugin.vite({ locales: ['en-US'] }), enforce: 'pre' as const },
];

export default defineConfig({
  plugins: [plugins(), preloadFonts(), gatherChunks(import.meta.dirname, plugins)],
  build: {
    manifest: true,
    target: 'es2023',
    // The content security policy allows only files, so nothing is inlined as a data: URL.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Short names, because the entry lists them for every screen.
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
