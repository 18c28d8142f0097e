import Arguments
import Bytes
import CrashStore
import Glibc

/// `mayday note`
struct NoteCommand: Command {
  static let name = "note"
  static let summary = "Add a note to groups."
  static let discussion = """
    Notes stand in what `mayday show` prints of a group, and in its history. One that is wrong is \
    taken back with `mayday undo`.
    """
  static let examples = [
    Example("mayday note TERN-12 'Only with the new renderer.'", "A note."),
    Example("git log -1 | mayday note TERN-12 -", "The text from standard input."),
  ]

  @Argument("ID... TEXT", help: "Groups, and then the text; - is standard input.")
  var words: [String]
  @OptionGroup var options = ActionOptions()

  func validate() throws(UsageError) {
    if words.count < 2 { throw UsageError("TEXT is missing behind the group") }
  }

  func run() throws {
    for word in words.dropLast() where !GroupName.isOne(word) {
      throw UsageError("'\(word)' is no group; a text of several words stands in quotes")
    }
    var text = words.last ?? ""
    if text == "-" {
      text = try ByteView(
        descriptor: STDIN_FILENO, name: "standard input", limit: CrashStore.noteLimit + 1
      ).text
      while text.last?.isWhitespace == true { text.removeLast() }
    }
    try options.decide(.note(text), about: words.dropLast())
  }
}
