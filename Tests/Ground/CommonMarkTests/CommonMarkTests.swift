import CommonMark
import TestSupport
import Testing

@Suite("Markdown as HTML") struct CommonMarkTests {
  @Test("What release notes use")
  func plain() {
    let html = CommonMark.html(
      of: """
        # 1.5
        Two **changes**
        and a *line*:

        - the [nest](https://example.org/?a=1&b=2 "it's")
        - `egg < 2`
        """)
    #expect(
      html == """
        <h3>1.5</h3>
        <p>Two <strong>changes</strong><br />
        and a <em>line</em>:</p>
        <ul>
        <li>the <a href="https://example.org/?a=1&amp;b=2" title="it's">nest</a></li>
        <li><code>egg &lt; 2</code></li>
        </ul>

        """)
    #expect(CommonMark.html(of: "") == "")
    #expect(CommonMark.html(of: "###### deep", headingsFrom: 4) == "<h6>deep</h6>\n")
  }

  @Test(
    "No script, no picture, and no address but of the web and of mail",
    arguments: [
      "<script>alert(1)</script>", "a <img src=x onerror=alert(1)> b",
      "![x](https://a.example/p.png)",
      "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))",
      "[x](data:text/html,<script>1</script>)",
      "[x](java\u{0}script:alert(1))", "[x](&#106;avascript:alert(1))", "<javascript:alert(1)>",
      "[x](//evil.example)", "[x](/server/accounts)", "[![x](data:image/png,1)](javascript:1)",
      "[x]: javascript:alert(1)\n\n[x]", "<div style=\"position:fixed\">over all</div>",
      "![a](b \"onload=1\")", "<!-- --><iframe src=x>", "[x](vbscript:1)", "[x](\tjavascript:1)",
    ])
  func hostile(_ text: String) {
    let html = CommonMark.html(of: text)
    for mark in ["<script", "<img", "<iframe", "<div", "href=", "style=", "src="] {
      #expect(!html.contains(mark), "\(text): \(html)")
    }
  }

  @Test("Addresses of the web and of mail stay")
  func addresses() {
    for address in ["https://a.example/x", "HTTP://a.example", "mailto:ada@example.org"] {
      #expect(CommonMark.html(of: "[x](\(address))") == "<p><a href=\"\(address)\">x</a></p>\n")
    }
    #expect(
      CommonMark.html(of: "<ada@example.org>")
        == "<p><a href=\"mailto:ada@example.org\">ada@example.org</a></p>\n")
  }

  @Test("Any text has some HTML whose tags are closed", arguments: 0..<40)
  func random(_ seed: Int) {
    var source = SplitMix(seed: UInt64(seed))
    let parts = [
      "*", "_", "`", "[", "]", "(", ")", "!", "<", ">", "#", "\n", "    ", "- ", "1. ", "a", "&",
      "\"",
      "https://a.example", "javascript:", "\u{0}", "é", "```\n", "---\n", "<b>", "</b>", "\\",
    ]
    for _ in 0..<100 {
      let text = (0..<source.below(60)).map { _ in source.pick(parts) }.joined()
      let html = CommonMark.html(of: text)
      var open: [Substring] = []
      for match in html.matches(of: #/<(\/?)([a-z0-9]+)(?:\s[^<>]*?)?(\/?)>/#) {
        if !match.3.isEmpty { continue }
        if match.1.isEmpty {
          open.append(match.2)
        } else {
          #expect(open.popLast() == match.2, "\(text)")
        }
      }
      #expect(open.isEmpty, "\(text): \(html)")
      #expect(!html.contains("javascript:\"") && !html.contains("<b>"), "\(text): \(html)")
    }
  }

  @Test("Deep nesting costs no stack")
  func deep() {
    for mark in [">", "[", "*a ", "- ", "![", "**a"] {
      #expect(!CommonMark.html(of: String(repeating: mark, count: 5_000)).isEmpty, "\(mark)")
    }
  }
}
