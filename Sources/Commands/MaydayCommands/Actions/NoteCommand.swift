import Arguments
import Bytes
import CrashService
import CrashStore
import Glibc

/// `mayday note`
struct NoteCommand: Command {
  static let name = "note"
  static let summary = "Add a note to groups."
  static let discussion = """
    `mayday show` prints notes with the group and its history. `mayday undo` removes a note.
    """
  static let examples = [
    Example("mayday note TERN-12 'Only with the new renderer.'", "Add a note."),
    Example("git log -1 | mayday note TERN-12 -", "Read the text from standard input."),
  ]

  @Argument("ID... TEXT", help: "Group ids, followed by the text; - reads standard input.")
  var words: [String]
  @OptionGroup var options = ActionOptions()

  func validate() throws(UsageError) {
    if words.count < 2 { throw UsageError("TEXT is missing after the group") }
  }

  func run() throws {
    for word in words.dropLast() where !GroupName.isOne(word) {
      throw UsageError("'\(word)' is not a group; put a text of several words in quotes")
    }
    var text = words.last ?? ""
    if text == "-" {
      text = try ByteView(
        descriptor: STDIN_FILENO, name: "standard input", limit: CrashStore.Triage.noteLimit + 1
      ).text
      while text.last?.isWhitespace == true { text.removeLast() }
    }
    try options.decide(.note(text), about: words.dropLast())
  }
}
