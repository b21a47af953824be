// The style of the inspection page.
export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --good: #1a7f4b; --bad: #c0392b; --bar: #3b82c4; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .6rem .25rem 0; vertical-align: top; }
th { font-weight: 600; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
code, pre { font: 13px/1.45 ui-monospace, monospace; } pre { background: var(--soft); padding: .7rem; overflow: auto; max-height: 28rem; white-space: pre-wrap; overflow-wrap: anywhere; }
details { border-bottom: 1px solid var(--line); padding: .25rem 0; } summary { cursor: pointer; } summary .note { opacity: .7; }
.note { opacity: .75; } .good { color: var(--good); } .bad { color: var(--bad); }
input[type=search] { font: inherit; padding: .3rem .5rem; width: min(30rem, 100%); margin-bottom: .5rem; }
.bar { height: 12px; background: var(--bar); border-radius: 3px; min-width: 2px; } .bar.bad { background: var(--bad); }
.meter { background: var(--bar); height: 10px; border-radius: 3px; min-width: 2px; }
td summary, #modes td:first-child { white-space: nowrap; }
.track { width: 100%; min-width: 12rem; } [hidden] { display: none; }
`;
