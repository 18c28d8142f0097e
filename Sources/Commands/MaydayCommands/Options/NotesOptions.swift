import Arguments
import Bytes
import CrashStore
import Glibc

/// Options for the notes of a release.
struct NotesOptions {
  @Option("--notes", help: "What is new.", value: "TEXT") var text: String?
  @Option("--notes-file", help: "Read what is new from a file; - is standard input.", value: "FILE")
  var file: String?

  func validate() throws(UsageError) {
    if text != nil, file != nil { throw UsageError("--notes and --notes-file exclude each other") }
  }

  /// The most UTF-8 bytes that a character of real text has.
  private static let longestCharacter = 64

  func notes() throws -> String? {
    guard let file else { return text }
    let limit = CrashStore.Distribution.notesLimit * Self.longestCharacter
    let bytes =
      file == "-"
      ? try ByteView(descriptor: STDIN_FILENO, name: "standard input", limit: limit)
      : try ByteView(reading: file, limit: limit)
    var text = bytes.text
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
