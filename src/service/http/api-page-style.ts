/** How the interface's page looks: the reader's own fonts and colour scheme, one column down to 320 px. */
export const apiPageStyle = `
:root { color-scheme: light dark; --line: light-dark(#c9ccd3, #474b55); --soft: light-dark(#f3f4f6, #1d2026);
  --ink: light-dark(#16181d, #eceef2); --quiet: light-dark(#4c525e, #b4bac6); --link: light-dark(#1a4fb8, #9dbdff); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 1rem/1.55 system-ui, sans-serif; color: var(--ink);
  background: light-dark(#fff, #121419); overflow-wrap: anywhere; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .5rem 0; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
section { margin: 1.5rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; }
h3 { margin: 0; font-size: 1.05rem; }
p { margin: .5rem 0; color: var(--quiet); }
.call { color: var(--ink); }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
summary { padding: .5rem 0; cursor: pointer; }
pre { margin: 0; max-height: 30rem; padding: .75rem; overflow: auto; background: var(--soft); border-radius: .25rem;
  white-space: pre-wrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem .75rem; margin: .5rem 0 0; font-size: .9rem; }
dt { font-weight: 600; }
dd { margin: 0; color: var(--quiet); }
`;
