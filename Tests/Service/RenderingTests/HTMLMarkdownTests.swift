import Testing

@testable import Rendering

@Suite("Markdown on a page") struct HTMLMarkdownTests {
  @Test("Characters that act on the writing are shown, even those written as references")
  func printable() {
    for text in ["a\u{202e}b", "a&#x202e;b", "a&#8238;b"] {
      #expect(HTML(markdown: text).markup == "<p>a\\u{202e}b</p>\n")
    }
    #expect(HTML(markdown: "# a\r\nb\r\nc").markup == "<h3>a</h3>\n<p>b<br />\nc</p>\n")
    #expect(HTML(markdown: "&lt;b&gt; &amp;lt; <b>").markup == "<p>&lt;b&gt; &amp;lt; </p>\n")
  }
}
