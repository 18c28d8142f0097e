import Testing

@testable import Arguments

@Suite("Completions")
struct CompletionTableTests {
  private static let hints: [String: ValueHint] = ["DIR": .folder, "BEACH": .dynamic("beach")]

  @Test("The table knows every command, option and kind of value")
  func table() throws {
    let table = CompletionTable(Program(Sample.self).description, hints: Self.hints)
    #expect(
      table.entries.map(\.name) == [
        "sample", "sample sort", "sample box", "sample box add", "sample help", "sample help box",
      ])
    #expect(table.entries[0].words.map(\.name) == ["sort", "box", "help"])
    let sort = table.entries[1]
    #expect(
      sort.options.map(\.hint) == [
        .none, .folder, .words(["size", "colour", "weight"]), .none, .none, .none, .none,
      ])
    #expect(sort.options.map(\.isFlag) == [true, false, false, false, false, true, true])
    #expect(sort.arguments.map(\.hint) == [.dynamic("beach"), .none])
    #expect(sort.arguments.map(\.isRepeated) == [false, true])
  }

  @Test(
    "A meaning is as short as a list wants it",
    arguments: [
      ("Print JSON.", "Print JSON"), ("The app; else each names its own.", "The app"),
      ("One thing. Another one.", "One thing"), ("0.5 at most.", "0.5 at most"), ("", ""),
    ])
  func brief(text: String, expected: String) {
    #expect(CompletionTable.brief(text) == expected)
  }

  @Test("Hidden commands are offered by no shell", arguments: CompletionScript.Shell.allCases)
  func hidden(shell: CompletionScript.Shell) {
    let script = CompletionScript.text(
      for: shell, of: Program(Sample.self).description, hints: Self.hints)
    #expect(
      !script.contains("__secret") && script.contains("sample") && !script.contains("@PROGRAM@"))
  }
}
