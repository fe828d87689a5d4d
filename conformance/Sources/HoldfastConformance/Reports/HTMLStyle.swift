/// How the page of ``HTMLReport`` looks: light or dark as the reader's system, from the width of a phone upward.
enum HTMLStyle {
    static let css = """
        :root { color-scheme: light dark; --ink: #1c2024; --paper: #fbfbf9; --line: #dcdcd6; --quiet: #63686e;
          --good: #1a7f4b; --bad: #c22f2f; --good-paper: #e5f4ea; --bad-paper: #fbe6e4; --card: #ffffff; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e6e8ea; --paper: #15181b; --line: #2d3338; --quiet: #98a0a8; --good: #57c98a;
            --bad: #ff8077; --good-paper: #16301f; --bad-paper: #3c1a19; --card: #1c2024; }
        }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 4rem; background: var(--paper);
          color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
        h1 { font-size: 1.75rem; margin: 0; }
        h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
        h2 small { font-weight: 400; color: var(--quiet); }
        p { margin: .25rem 0; }
        code, pre { font: .85em/1.45 ui-monospace, monospace; }
        pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 6px; }
        .quiet { color: var(--quiet); }
        .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: .75rem;
          margin-top: 1rem; }
        .card { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--good);
          border-radius: 6px; padding: .75rem 1rem; overflow-wrap: anywhere; }
        .card.bad { border-left-color: var(--bad); }
        .card h2 { margin: 0; }
        .card .score b { font-size: 1.3rem; }
        .card .score span { white-space: nowrap; margin-right: .5rem; }
        .levels { font-size: .85rem; padding-left: 1.2rem; margin: .25rem 0; }
        li.bad { color: var(--bad); }
        .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--card); }
        table { border-collapse: collapse; width: 100%; }
        th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
        tbody tr:last-child td { border-bottom: 0; }
        thead th { font-size: .8rem; color: var(--quiet); font-weight: 600; }
        td:first-child { min-width: 15rem; }
        th:not(:first-child), td.verdict { text-align: center; width: 6rem; }
        td.verdict { font-weight: 700; }
        td.good { color: var(--good); background: var(--good-paper); }
        td.bad { color: var(--bad); background: var(--bad-paper); }
        span.good { color: var(--good); } span.bad { color: var(--bad); }
        summary { cursor: pointer; }
        summary code { color: var(--quiet); margin-right: .35rem; }
        details p, details pre { margin: .35rem 0 .35rem 1rem; font-size: .9rem; }
        footer { margin-top: 2rem; font-size: .85rem; }
        .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        @media (max-width: 40rem) {
          body { padding: 1rem .6rem 3rem; }
          th, td { padding: .3rem .4rem; }
          th:not(:first-child), td.verdict { width: auto; }
          td:first-child { min-width: 11rem; }
        }
        """
}
