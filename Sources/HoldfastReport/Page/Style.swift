/// How all pages look: light or dark as the reader's system, from the width of a phone upward.
///
/// Text has a contrast of at least 4.5 to its background, and marks of charts of at least 3, in both schemes.
enum Style {
    static let css: HTML = """
        :root { color-scheme: light dark; --ink: #1b2126; --paper: #f7f7f4; --card: #ffffff; --line: #d9d9d2;
          --grid: #e6e6e0; --quiet: #5a6168; --accent: #0b5cad; --good: #17703f; --bad: #b3261e; --open: #8a5300;
          --good-paper: #e4f3e9; --bad-paper: #fbe5e3; --open-paper: #fbf0dc; --s0: #0b5cad; --s1: #b3420b;
          --s2: #17703f; --s3: #8a2a86; --s4: #5a6168; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e7e9eb; --paper: #14171a; --card: #1c2024; --line: #343b41; --grid: #2a3035;
            --quiet: #9ba4ac; --accent: #7ab8f5; --good: #5fce90; --bad: #ff8b82; --open: #e8b45c;
            --good-paper: #16301f; --bad-paper: #3c1c1a; --open-paper: #352a14; --s0: #7ab8f5; --s1: #f5a26b;
            --s2: #5fce90; --s3: #dd96d9; --s4: #9ba4ac; }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; }
        body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1.25rem 4rem; background: var(--paper);
          color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
        a { color: var(--accent); }
        a:focus-visible, summary:focus-visible, select:focus-visible, input:focus-visible, [tabindex]:focus-visible {
          outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
        .skip { position: absolute; left: -100rem; } .skip:focus { left: 1rem; top: .5rem; }
        .brand { margin: 0; font-size: .8rem; font-weight: 600; letter-spacing: .06em; text-transform: uppercase;
          color: var(--accent); }
        h1 { font-size: 1.8rem; line-height: 1.2; margin: .1rem 0 .25rem; }
        h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
        h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
        h2 small, h3 small { font-weight: 400; color: var(--quiet); }
        p { margin: .3rem 0; max-width: 52rem; }
        code, pre { font: .86em/1.5 ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; }
        pre { overflow-x: auto; margin: .5rem 0; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: 8px;
          background: var(--card); }
        .quiet { color: var(--quiet); } .good { color: var(--good); } .bad { color: var(--bad); }
        .open { color: var(--open); }
        .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        ul.links { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: 1.25rem 0 0; padding: .6rem 0;
          list-style: none; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line);
          font-size: .92rem; }
        ul.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .6rem;
          margin: 1.25rem 0; padding: 0; list-style: none; }
        ul.tiles li { background: var(--card); border: 1px solid var(--line); border-top: 3px solid var(--line);
          border-radius: 8px; padding: .6rem .85rem .7rem; color: var(--ink); }
        ul.tiles b { display: block; font-size: 1.45rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
        ul.tiles span { color: var(--quiet); font-size: .86rem; } ul.tiles b span { font-size: inherit; color: inherit; }
        ul.tiles li.good { border-top-color: var(--good); } ul.tiles li.good b { color: var(--good); }
        ul.tiles li.bad { border-top-color: var(--bad); } ul.tiles li.bad b { color: var(--bad); }
        ul.tiles li.open { border-top-color: var(--open); } ul.tiles li.open b { color: var(--open); }
        .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .75rem;
          margin: 1.25rem 0; }
        .card { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--good);
          border-radius: 8px; padding: .75rem 1rem; overflow-wrap: anywhere; }
        .card.bad { border-left-color: var(--bad); color: inherit; } .card.good { color: inherit; }
        .card h3 { margin: 0; font-size: 1.1rem; } .card p { font-size: .88rem; }
        .card ul { font-size: .88rem; padding-left: 1.1rem; margin: .4rem 0 0; }
        .scroll { overflow-x: auto; margin: .6rem 0; border: 1px solid var(--line); border-radius: 8px;
          background: var(--card); position: relative; }
        table { border-collapse: collapse; width: 100%; font-size: .93rem; }
        th, td { text-align: left; vertical-align: top; padding: .4rem .7rem; border-bottom: 1px solid var(--grid);
          font-weight: 400; }
        tbody tr:last-child th, tbody tr:last-child td { border-bottom: 0; }
        thead th { font-size: .8rem; font-weight: 600; color: var(--quiet); border-bottom-color: var(--line);
          vertical-align: bottom; white-space: nowrap; }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .mark { text-align: center; } td.mark { font-weight: 700; width: 6rem; }
        td.mark.good { background: var(--good-paper); } td.mark.bad { background: var(--bad-paper); }
        td.mark.open { background: var(--open-paper); }
        td.chart, th.chart { width: 38%; min-width: 15rem; padding-top: 0; padding-bottom: 0; vertical-align: top; }
        thead th.chart { padding-top: .4rem; vertical-align: bottom; }
        td.chart svg { margin-top: .3rem; }
        .nowrap { white-space: nowrap; } tbody th.text { min-width: 9.5rem; }
        svg { display: block; overflow: visible; font-family: inherit; }
        svg text { fill: var(--quiet); font-size: 11px; }
        .track .grid, .plot .grid { stroke: var(--grid); } .track .one { stroke: var(--quiet); stroke-width: 1.5; }
        .track .goal { stroke: var(--ink); stroke-width: 2; stroke-dasharray: 3 2; }
        .track .range { stroke: var(--accent); stroke-opacity: .45; stroke-width: 7; stroke-linecap: round; }
        .track .mark { fill: var(--accent); stroke: var(--card); stroke-width: 1; }
        .track .reached .mark { fill: var(--good); } .track .missed .mark { fill: var(--bad); }
        .track .mark.hollow { fill: var(--card); stroke: var(--open); stroke-width: 2.5; }
        .charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr)); gap: .75rem;
          margin: .75rem 0; }
        div.plot { margin: 0; padding: .75rem .9rem; background: var(--card); border: 1px solid var(--line);
          border-radius: 8px; width: auto; min-width: 0; }
        div.plot details { font-size: .88rem; }
        .series line { stroke-width: 2; } .series text { font-weight: 600; font-size: 12px; }
        .s0 { stroke: var(--s0); fill: var(--s0); } .s1 { stroke: var(--s1); fill: var(--s1); }
        .s2 { stroke: var(--s2); fill: var(--s2); } .s3 { stroke: var(--s3); fill: var(--s3); }
        .s4 { stroke: var(--s4); fill: var(--s4); }
        .series text { stroke: none; } .s0 text { fill: var(--s0); } .s1 text { fill: var(--s1); }
        .s2 text { fill: var(--s2); } .s3 text { fill: var(--s3); } .s4 text { fill: var(--s4); }
        dl.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .5rem 1.5rem;
          margin: .75rem 0; }
        dl.facts dt { font-size: .82rem; color: var(--quiet); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
        ul.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; padding: 0; margin: .5rem 0; list-style: none;
          font-size: .88rem; }
        ul.legend svg { display: inline-block; vertical-align: -3px; margin-right: .15rem; }
        form.filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 1rem 0; padding: .7rem .9rem;
          background: var(--card); border: 1px solid var(--line); border-radius: 8px; font-size: .92rem; }
        form.filter[hidden] { display: none; }
        form.filter select, form.filter input { font: inherit; color: inherit; background: var(--paper); max-width: 15rem;
          border: 1px solid var(--quiet); border-radius: 6px; padding: .2rem .4rem; }
        form.filter output { color: var(--quiet); }
        summary { cursor: pointer; } summary code { color: var(--quiet); margin-right: .35rem; }
        details p, details pre { font-size: .9rem; }
        td details p, th details p, th details pre { margin: .35rem 0 .35rem 1rem; }
        details.card { border-left-color: var(--line); margin: .75rem 0; }
        .violation { border: 1px solid var(--bad); background: var(--bad-paper); border-radius: 8px; padding: .5rem .9rem;
          margin: .5rem 0; overflow-wrap: anywhere; }
        .scroll .spacetime { margin: 0 auto; }
        .spacetime .lane { stroke: var(--line); stroke-width: 2; } .spacetime .head { fill: var(--ink); font-size: 13px;
          font-weight: 600; }
        .spacetime .message { stroke: var(--s0); stroke-width: 1.4; } .spacetime .answer { stroke: var(--s4); stroke-width: 1.2; }
        .spacetime .event { stroke: var(--s3); stroke-width: 1.2; stroke-dasharray: 5 2; }
        .spacetime .lost { stroke: var(--bad); stroke-dasharray: 2 3; stroke-width: 1.6; }
        .spacetime .tip { stroke: none; fill: var(--s0); } .spacetime .answer-tip { stroke: none; fill: var(--s4); }
        .spacetime .event-tip { stroke: none; fill: var(--s3); }
        .spacetime text { paint-order: stroke; stroke: var(--card); stroke-width: 3px; stroke-linejoin: round;
          fill: var(--ink); }
        .spacetime text.time, .spacetime text.on { fill: var(--quiet); } .spacetime text.violation-text { fill: var(--bad);
          font-weight: 700; } .spacetime text.fault-text { fill: var(--open); font-weight: 600; }
        .spacetime .gap { stroke: var(--line); stroke-dasharray: 1 5; stroke-linecap: round; stroke-width: 2; }
        .spacetime .edit { fill: var(--s0); } .spacetime .commit { fill: var(--s2); }
        .spacetime .fault { fill: none; stroke: var(--open); stroke-width: 2.5; }
        .spacetime .violation-mark { fill: var(--bad); } .spacetime .note { fill: var(--card); stroke: var(--quiet);
          stroke-width: 1.5; }
        .spacetime .moment { stroke: var(--quiet); stroke-dasharray: 6 4; }
        footer { margin-top: 3rem; font-size: .85rem; }
        @media (max-width: 40rem) {
          body { padding: 1rem .75rem 3rem; }
          h1 { font-size: 1.5rem; }
          th, td { padding: .35rem .5rem; }
          td.mark { width: auto; } ul.tiles { grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); }
          td.chart, th.chart { min-width: 11rem; } tbody th.text { min-width: 6rem; }
          tbody th details { min-width: 12rem; }
        }
        @media print { body { max-width: none; background: none; } form.filter, nav { display: none; } }
        """
}
