import Bytes
import Testing

@Suite struct StringSearchTests {
  @Test(
    "A text is found wherever it stands",
    arguments: [
      "needle", "needle at the start", "at the end needle", "nneneeneedle", "é needle é",
      "needlé needle",
    ])
  func found(text: String) {
    #expect(text.containsBytes(of: "needle"))
    #expect(text[...].containsBytes(of: "needle"))
    #expect(("<<" + text + ">>").dropFirst(2).containsBytes(of: "needle"))
  }

  @Test(
    "A text that is not there is not found",
    arguments: [
      "", "n", "needl", "NEEDLE", "nee dle", "needlé", String(repeating: "needl", count: 100),
    ])
  func missing(text: String) {
    #expect(!text.containsBytes(of: "needle"))
    #expect(!(text + "needle").dropLast().containsBytes(of: "needle"))
  }

  @Test("A byte is replaced everywhere, and nothing else changes")
  func replaced() {
    let (line, space) = (UInt8(ascii: "\n"), UInt8(ascii: " "))
    #expect("\na\n\né\n".replacing(byte: line, with: space) == " a  é ")
    #expect("aé".replacing(byte: line, with: space) == "aé")
    #expect("é".replacing(byte: 0xc3, with: space) == "é")
  }

  @Test("The empty text is part of every text")
  func empty() {
    #expect("".containsBytes(of: "") && "a".containsBytes(of: ""))
  }
}
