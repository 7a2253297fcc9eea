import localesPlugin from '@react-aria/optimize-locales-plugin';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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

export default defineConfig({
  plugins: [
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
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
      addExtensions: true,
      quoteStyle: 'single',
      semicolons: true,
      disableLogging: true,
      // A folder of routes holds a screen's private parts too: only these names are routes.
      routeFileIgnorePattern: String.raw`^(?!(?:index|route|__root)\.tsx$)[^.]+\.`,
    }),
    react(),
    tailwindcss(),
    { ...localesPlugin.vite({ locales: ['en-US'] }), enforce: 'pre' as const },
    preloadFonts(),
  ],
  build: {
    manifest: true,
    target: 'es2023',
    // The content security policy allows files alone: nothing becomes a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Short names: the entry carries a list of them for every screen.
        chunkFileNames: 'assets/[hash].js',
        codeSplitting: {
          includeDependenciesRecursively: false,
          // What is loaded together lies together: one file compresses better than many. The sign-in page loads
          // `base` and `icons` alone; the budgets say so when something else comes with them.
          groups: [
            {
              name: 'router',
              test: /node_modules\/@tanstack\/(?!react-table|table-core|react-virtual|virtual-core)/,
            },
            { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 8 },
            {
              name: 'base',
              test: /apps\/web\/src\/lib\/(?:api|api-error|api-url|dirty-guard|document-head|error-words|interruptions|session|told-decisions)\.ts|packages\/ui\/src\/(?:banner|button\/buttonClass|environment\/|field\/(?:Field|FieldMarks|controlClass|fieldProps)\.|icon\/|icon-button\/Plain|kbd\/|spinner\/|tone\/|tooltip\/)/,
              minShareCount: 2,
            },
            {
              name: 'shell',
              test: /apps\/web\/src\/(?:components\/layout\/(?:connection-words|screens|use-environment)|lib|queries\/(?:global-scope|preferences|service-news|session|settings)|routes\/.+-search\.ts)|packages\/ui\/src\/(?:badge\/StatusDot|button|icon-button|time\/useNow)\b|packages\/api-types\/src\/console\/(?:preferences|problem|service|session)\.ts/,
              minShareCount: 8,
            },
            {
              name: 'life',
              test: /apps\/web\/src\/(?:components\/record\/(?:OnceAllowed|tell|use-edited|Waiting|WithRight)|queries\/record-life)\./,
              minShareCount: 2,
            },
            {
              name: 'confirm',
              test: /apps\/web\/src\/components\/record\/(?:ConfirmRecord|DeleteRecord|changes-since|use-guarded)\./,
              minShareCount: 2,
            },
            {
              name: 'target',
              test: /apps\/web\/src\/(?:queries\/target-records|routes\/\$environment\/targets\/(?:shown-targets|use-target-places))\./,
              minShareCount: 2,
            },
            {
              name: 'page',
              test: /apps\/web\/src\/components\/(?:errors|layout|table)\/|packages\/ui\/src\/(?:badge|breadcrumbs|checkbox|copy-button|empty-state|error-state|link|page-header|search-field|skeleton|time|toolbar)\/|node_modules\/react-aria(?:-components)?\/dist\/private\/(?:Link|Toolbar|link|toolbar)/,
              minShareCount: 8,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': { target: process.env.GATEHOUSE_DEV_API ?? 'http://127.0.0.1:8080', changeOrigin: false },
    },
  },
});
