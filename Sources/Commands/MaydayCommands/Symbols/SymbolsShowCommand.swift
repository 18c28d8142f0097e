import AddressLookUp
import Arguments
import Bytes
import CommandSupport
import CrashService
import CrashStore
import Glibc
import JSON
import SymbolSources
import Terminal

/// `mayday symbols show`
struct SymbolsShowCommand: Command {
  static let name = "show"
  static let summary = "Describe a debug file and its contents."
  static let discussion = """
    The file is given by its path, or a stored one by its id. To count its contents, the whole \
    file is read and compiled into a symbol cache, which is not kept.
    """
  static let examples = [
    Example(
      "mayday symbols show 5a2c9be2-0f6b-3d0e-9b0b-7a1fd6e1c001", "By the id that reports name."),
    Example("mayday symbols show build/tern", "A file on disk."),
  ]

  @Argument(
    "FILE", help: "A debug file or program, or a debug id, build id or UUID in any spelling."
  )
  var file: String
  @Option("-a", "--arch", help: "The architecture; by default all.", value: "ARCH")
  var architecture: String?
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let documents = try found()
    guard try output.printedJSON(documents, { $0.value($1) }) == false else { return }
    let console = output.console
    for (index, document) in documents.enumerated() {
      if index > 0 { try console.write("\n") }
      try console.write(
        lines: DebugFileText(document).lines(
          styles: console.styles, width: console.readableWidth))
    }
  }

  private func found() throws -> [JSONValue] {
    var status = stat()
    if stat(file, &status) == 0 {
      let scan = DebugFileScanner().scan([file])
      if scan.files.isEmpty, scan.refusals.isEmpty, !scan.supplementary.isEmpty {
        return scan.supplementary.map { ShownDebugFile($0).document }
      }
      if scan.files.isEmpty, scan.refusals.isEmpty, !scan.mappings.isEmpty {
        return scan.mappings.map { ShownDebugFile($0).document }
      }
      return try LookUpTarget.all(file, architecture: architecture).map {
        ShownDebugFile($0).document
      }
    }
    guard StoredDebugFiles.isID(file) else { throw FileError("open", path: file) }
    return try home.service().debugFiles(of: file, architecture: architecture)
  }
}
