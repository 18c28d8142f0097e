import Arguments
import CrashModel
import CrashStore
import JSON

/// What the commands have in common that do something to groups.
struct ActionOptions {
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  /// Does something in the store, which must be there, and prints the groups as they are then.
  ///
  /// - Throws: What `body` throws; ``StoreError/notFound(_:)`` with the first name when nothing was
  ///   ever stored.
  func run(
    on names: [String], _ body: (CrashStore, _ author: String) throws -> [GroupSummary]
  ) throws {
    guard let store = try home.openForReading() else {
      throw StoreError.notFound(names.first ?? "group")
    }
    let groups = try body(store, author.name)
    let console = output.console
    guard output.json else {
      let list = StandingList(groups: groups)
      return try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    // One that was named is one object, several are an array.
    var writer = JSONWriter(pretty: true)
    if names.count > 1 { writer.beginArray() }
    for group in groups { writer.write(group) }
    if names.count > 1 { writer.endArray() }
    writer.newLine()
    try console.write(writer.takeBytes())
  }
}
