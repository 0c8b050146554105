import HTTPCore

/// The two addresses outside the API: a page that says what this is, and a sign of life.
enum FrontPage {
    /// The answer to `/` and `/healthz`, or nil for any other path.
    static func answer(_ method: Method, _ segments: [PathSegment]) -> Response? {
        guard method == .get || method == .head else { return nil }
        guard let name = segments.first?.exact else { return .html(page) }
        guard segments.count == 1 else { return nil }
        switch name {
        case "healthz": return Response.json(Array(#"{"status":"ok"}"#.utf8))
        case "favicon.ico": return .noContent
        default: return nil
        }
    }

    private static let page = """
        <!doctype html>
        <html lang="zh-Hant">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Rowhouse</title>
        <style>
        :root { color-scheme: light dark; --paper: #faf7f2; --ink: #221c15; --ink-2: #6b5f50; --line: #e6ddd0;
            --surface: #fff; --accent: #a34e1c }
        @media (prefers-color-scheme: dark) { :root { --paper: #16130f; --ink: #f5eee4; --ink-2: #c2b5a3;
            --line: #3a3229; --surface: #201b16; --accent: #f0a56b } }
        body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.6;
            font: 1rem/1.6 "PingFang TC", "Noto Sans TC", "Noto Sans CJK TC", "Microsoft JhengHei", system-ui, sans-serif }
        main { max-width: 40rem; margin: 0 auto; padding: 48px 24px }
        h1 { font-size: 2.125rem; line-height: 1.2; margin: 0 0 8px; letter-spacing: -.01em }
        h1 span { color: var(--accent) }
        p { margin: 0 0 16px } .en { color: var(--ink-2) }
        section { border-top: 1px solid var(--line); margin-top: 32px; padding-top: 24px }
        code, pre { font-family: ui-monospace, "JetBrains Mono", monospace; font-size: .875rem }
        pre { background: var(--surface); border: 1px solid var(--line); border-radius: 14px; padding: 16px;
            overflow-x: auto; margin: 0 0 16px }
        </style>
        <main>
        <h1>Row<span>house</span></h1>
        <p>小型應用程式的後端：資料表與 API，都在你自己的機器上。這個位址說的是 Airtable 的 Web API；
        現有的 Airtable 程式只要換掉網址和權杖就能使用。</p>
        <p class="en" lang="en">A backend for small apps on a machine of your own. This address speaks Airtable’s Web API:
        existing Airtable clients work when the base URL and the token change.</p>
        <section>
        <p>列出資料庫 <span class="en" lang="en">· List the bases</span></p>
        <pre><code>curl -H "Authorization: Bearer YOUR_TOKEN" THIS_ADDRESS/v0/meta/bases</code></pre>
        <p>建立權杖 <span class="en" lang="en">· Make a token</span></p>
        <pre><code>rowhouse token create --data FOLDER --name "My app"</code></pre>
        <p class="en" lang="en">Is it alive? <code>/healthz</code></p>
        </section>
        </main>
        </html>
        """
}
