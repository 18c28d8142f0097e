import Bytes
import Files
import Glibc
import TestSupport
import Testing

/// Does what `docs/develop/adding-a-format.md` says, in a folder of its own: copies the module, writes the page's
/// files beside it, changes the line that the page changes, and compiles module and test against the
/// modules of this build.
///
/// The longest of all tests: the compiler reads the whole module again.
@Suite("The page about adding a format")
struct AddingAFormatTests {
  private static let root = Samples.root

  /// A block of code with the file that it belongs in: `PATH`: in a paragraph of its own before it.
  private struct Page {
    private(set) var files: [(path: String, text: String)] = []
    private(set) var removed: [String] = []
    private(set) var added: [String] = []

    init(_ text: String) {
      var path: String?
      var block: [Substring]?
      var isDiff = false
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("```") {
          if let lines = block {
            if let path { files.append((path, lines.joined(separator: "\n") + "\n")) }
            path = nil
            block = nil
          } else {
            block = []
            isDiff = line == "```diff"
          }
        } else if block != nil {
          block?.append(line)
          if isDiff, line.hasPrefix("-") { removed.append(String(line.dropFirst())) }
          if isDiff, line.hasPrefix("+") { added.append(String(line.dropFirst())) }
        } else if line.hasPrefix("`"), line.hasSuffix("`:") {
          path = String(line.dropFirst().dropLast(2))
        }
      }
    }
  }

  /// The object files of a module; others may be left in its folder from earlier builds.
  private static func objects(of module: String, in build: String) throws -> [String] {
    let folder = "\(build)/\(module).build"
    let sources = try ByteView(reading: folder + "/sources", limit: 1 << 20).text
    return sources.split(separator: "\n").map { source in
      "\(folder)/\(source.split(separator: "/").last ?? "").o"
    }
  }

  /// Runs a shell command; its output is the text of a failure.
  private func run(_ command: String) throws {
    let output = OtherTool.output(of: "(\(command)) 2>&1; echo exit $?") ?? ""
    try #require(output.hasSuffix("exit 0\n"), "\(command): \(output)")
  }

  @Test("The page's reader, line and sample pass the page's test")
  func page() throws {
    let text = try ByteView(reading: Self.root + "/docs/develop/adding-a-format.md", limit: 1 << 20)
      .text
    let page = Page(text)
    try #require(page.files.count == 4 && page.removed.count == 1 && page.added.count == 1)
    let folder = ScratchFolder()
    var module: [String] = []
    let registry = "Sources/Reports/ReportFormats/FormatRegistry.swift"
    let sources = Self.root + "/Sources/Reports/ReportFormats"
    for path in try FolderListing.files(below: sources).map({ "\(sources)/\($0)" })
    where path.hasSuffix(".swift") {
      let name = String(path.dropFirst(Self.root.utf8.count + 1))
      var text = try ByteView(reading: path, limit: 1 << 20).text
      if name == registry {
        let parts = text.split(separator: page.removed[0], omittingEmptySubsequences: false)
        try #require(parts.count == 2, "the page changes a line that is not in \(registry)")
        text = parts.joined(separator: page.added[0])
      }
      module.append(folder.write(name, Array(text.utf8)))
    }
    var tests = [
      folder.write(
        "Main.swift",
        Array(
          """
          import Testing

          @main struct Main {
            static func main() async { await Testing.__swiftPMEntryPoint() as Never }
          }

          """.utf8))
    ]
    for file in page.files {
      let path = folder.write(file.path, Array(file.text.utf8))
      if file.path.hasPrefix("Sources/Reports/ReportFormats/") { module.append(path) }
      if file.path.hasPrefix("Tests/") { tests.append(path) }
    }
    try #require(tests.count == 2)

    // The modules of the build that contains this test.
    let program = try #require(realpath("/proc/self/exe", nil).map { String(cString: $0) })
    let build = Folder.parent(of: program)
    let compiler = try #require(OtherTool.path("swiftc"))
    var flags =
      "-swift-version 6 -enable-upcoming-feature ExistentialAny"
      + " -enable-upcoming-feature InternalImportsByDefault"
      + " -enable-upcoming-feature MemberImportVisibility"
      + " -enable-experimental-feature Lifetimes -warnings-as-errors -Onone -parse-as-library"
      + " -I \(folder.path) -I \(build)/Modules"
    for library in ["CMemory", "CMarkSearch", "CDeflate", "CZlib", "CZstd", "CLZMA"] {
      flags += " -Xcc -fmodule-map-file=\(Self.root)/Sources/C/\(library)/module.modulemap"
    }
    for library in ["CArchive", "CLoading"] {
      flags += " -Xcc -fmodule-map-file=\(build)/\(library).build/module.modulemap"
    }
    let linked =
      try [
        "Bytes", "Compression", "Identifiers", "JSON", "CrashModel", "Documents", "ReportDocument",
        "TestSupport",
      ]
      .flatMap { try Self.objects(of: $0, in: build) }.joined(separator: " ")
      + " \(build)/CArchive.build/archive.c.o \(build)/CLoading.build/loading.c.o"
    try run(
      "cd \(folder.path) && \(compiler) \(flags) -strict-memory-safety -whole-module-optimization"
        + " -module-name ReportFormats -emit-module -emit-module-path ReportFormats.swiftmodule"
        + " -c -o ReportFormats.o " + module.joined(separator: " "))
    try run(
      "cd \(folder.path) && \(compiler) \(flags) -module-name PageTests -o page-tests"
        + " ReportFormats.o \(linked) " + tests.joined(separator: " "))
    let output = try #require(OtherTool.output(of: "\(folder.path)/page-tests 2>&1"))
    #expect(output.contains("Test run with 4 tests in 1 suite passed"), "\(output)")
  }
}
