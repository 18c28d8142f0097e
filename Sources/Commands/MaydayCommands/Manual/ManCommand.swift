import Arguments
import Bytes
import Glibc
import Rendering
import Terminal

/// `mayday man`
struct ManCommand: Command {
  static let name = "man"
  static let summary = "Print the manual page of a command, or write all pages."
  static let discussion = """
    The pages are generated from the command declarations, as man(7) source. 'make install' \
    installs them; this command is for reading a page without installing, and for packagers.
    """
  static let examples = [
    Example("mayday man groups | man -l -", "Read a page."),
    Example("mayday man --all build/man1", "Write mayday.1, mayday-groups.1 and all other pages."),
    Example("mayday man --markdown > docs/reference/commands.md", "All commands on one page."),
  ]
  static let ignoresSettings = true

  @Argument("COMMAND", help: "The command; by default the program itself.", isRequired: false)
  var words: [String]
  @Option("--all", help: "Write every page to this existing folder.", value: "DIR")
  var folder: String?

  @Flag("--markdown", help: "Print the reference of all commands in Markdown.") var isMarkdown: Bool

  func validate() throws(UsageError) {
    if folder != nil && !words.isEmpty {
      throw UsageError("--all writes the pages of all commands")
    }
    if isMarkdown && (folder != nil || !words.isEmpty) {
      throw UsageError("--markdown prints all commands; leave out --all and COMMAND")
    }
  }

  func run() throws {
    let console = Console(colour: .never)
    if isMarkdown { return try console.write(Manual.reference.text) }
    guard let folder else {
      let page = try Manual.page(for: words)
      try console.write(page.text)
      if console.isOutputTerminal { console.say("To read it: mayday man ... | man -l -") }
      return
    }
    let pages = Manual.pages
    for page in pages {
      try OutputFile.write(Array(page.text.utf8), to: folder + "/" + page.fileName)
    }
    console.say("\(GroupText.count(pages.count, "page", "pages")) written to \(folder.printable)")
  }
}
