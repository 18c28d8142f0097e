import Bytes
import TestSupport
import Testing
import XML

@Suite("XML") struct XMLElementTests {
  private static let limits = XMLLimits(bytes: 10_000, depth: 4, elements: 20, textBytes: 1000)

  private func read(_ text: String) throws -> XMLElement {
    try XMLElement(parsing: ByteView(text.utf8), limits: Self.limits)
  }

  @Test("Elements, attributes and texts are read; prefixes are removed")
  func document() throws {
    let root = try read(
      "<?xml version=\"1.0\"?><!-- a --><s:list xmlns:s='u' a=\"1 &lt; 2\"><key>a&amp;b"
        + "<![CDATA[<c>]]></key><key/></s:list>\n")
    #expect(root.name == "list")
    #expect(root.attributes == ["xmlns:s": "u", "a": "1 < 2"])
    #expect(root.first("key")?.text == "a&b<c>")
    #expect(root.count(of: "key") == 2)
    #expect(root.descendant("none") == nil)
  }

  @Test(
    "Damage is an error",
    arguments: [
      "", "<a>", "<a></b>", "<a/><b/>", "text", "<a>&unknown;</a>", "<a b=c/>", "<a b='1' b='2'/>",
      "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a>&#x110000;</a>", "<a><![CDATA[b</a>",
    ])
  func damage(text: String) {
    #expect(throws: ParseError.self) { try read(text) }
  }

  @Test("Every limit ends the reading")
  func limits() {
    let inputs = [
      String(repeating: " ", count: 10_001),
      String(repeating: "<a>", count: 5) + String(repeating: "</a>", count: 5),
      "<a>" + String(repeating: "<b/>", count: 20) + "</a>",
      "<a>" + String(repeating: "b", count: 1001) + "</a>",
    ]
    for text in inputs {
      #expect { try read(text) } throws: {
        guard case .limit = ($0 as? ParseError)?.kind else { return false }
        return true
      }
    }
  }

  @Test("Every prefix and mutation of a document ends in an element or an error")
  func hostile() {
    let text = Array("<a b='c&#65;'><![CDATA[d]]><e/>&lt;<!-- f --></a>".utf8)
    var documents = (0..<text.count).map { Array(text[..<$0]) }
    var mutator = Mutator(seed: 1)
    documents += mutator.copies(of: text, count: 2000)
    var read = 0
    for document in documents
    where (try? XMLElement(parsing: ByteView(document), limits: Self.limits)) != nil { read += 1 }
    #expect(read < documents.count)
  }
}
