extension DocsPage {
    /// The style of the page, light and dark.
    static let style = """
        :root { color-scheme: light dark; --line: #d0d4da; --dim: #5b6470; --code: #f2f4f7; --link: #0a58ca; }
        @media (prefers-color-scheme: dark) {
          :root { --line: #3a404a; --dim: #a3abb8; --code: #23272e; --link: #7ab3ff; }
          body { background: #16191d; color: #e6e8eb; }
        }
        * { box-sizing: border-box; }
        body { margin: 0; font: 16px/1.5 system-ui, sans-serif; display: flex; }
        nav { flex: 0 0 20rem; height: 100vh; position: sticky; top: 0; overflow: auto; padding: 1rem;
          border-right: 1px solid var(--line); font-size: .85rem; }
        nav h2 { font-size: 1rem; margin: .8rem 0 .2rem; }
        nav ul { list-style: none; margin: 0; padding: 0; }
        nav li { overflow-wrap: anywhere; }
        main { flex: 1; min-width: 0; max-width: 70rem; padding: 1rem 2rem; overflow-wrap: anywhere; }
        a { color: var(--link); text-decoration: none; }
        a:hover, a:focus, main p a, main li a, main td a { text-decoration: underline; }
        article { border-top: 1px solid var(--line); padding: .5rem 0 1rem; }
        article:target h3 { outline: 2px solid var(--link); outline-offset: 4px; }
        h3 { font-size: 1.1rem; margin: .5rem 0; overflow-wrap: anywhere; }
        h4 { margin: .8rem 0 .3rem; }
        small, em { color: var(--dim); font-weight: normal; font-style: normal; font-size: .85em; }
        code, pre { font: .9em/1.45 ui-monospace, monospace; }
        pre { background: var(--code); padding: .6rem .8rem; border-radius: 6px; white-space: pre-wrap;
          overflow-wrap: anywhere; }
        /* Fixed: a column that may break anywhere would be squeezed to a letter by a long list in the next. */
        table { border-collapse: collapse; width: 100%; font-size: .92rem; table-layout: fixed; }
        th { width: 22%; }
        td:nth-child(2) { width: 34%; }
        th, td { border-top: 1px solid var(--line); padding: .25rem .6rem .25rem 0; text-align: left;
          vertical-align: top; font-weight: normal; overflow-wrap: anywhere; }
        .differences th:first-child { width: 45%; }
        .differences em { font-style: italic; font-size: 1em; }
        .differences tr:target { outline: 2px solid var(--link); scroll-margin-top: 4rem; }
        @media (max-width: 800px) {
          body { display: block; }
          nav { position: static; height: auto; max-height: 40vh; border-right: 0;
            border-bottom: 1px solid var(--line); }
          main { padding: 1rem; }
          tr { display: block; border-top: 1px solid var(--line); padding: .25rem 0; }
          th, td, td:nth-child(2), .differences th:first-child { display: block; width: auto; border: 0; padding: 0; }
        }

        """
}
