package import Arguments
internal import Bytes
internal import CommandSupport
internal import CrashService
internal import Files
internal import ObjectStorage
internal import Rendering
internal import SymbolSources
internal import Terminal

/// `mayday symbols index`
package struct SymbolsIndexCommand: Command {
  package static let name = "index"
  package static let summary = "Write down where debug files are, to be found without a scan."
  package static let discussion = """
    The index has the ids, names and paths of all debug files below the given paths. With --symbols FILE.mdi, \
    triage and symbolicate open only those that their reports need, however many there are; with a folder, each \
    start looks at every file in it.

    The files themselves stay where they are. One that was changed or removed since is an error: make the index \
    again.

    s3://BUCKET/KEY is the object with this key, or else all objects whose keys begin with it. Each is fetched, \
    looked at and forgotten; with --symbols FILE.mdi, one is fetched and kept when a report needs it.
    """
  package static let examples = [
    Example("mayday symbols index /srv/symbols -o symbols.mdi", "Once, after symbols came."),
    Example("mayday symbols index s3://acme-symbols/app/ -o symbols.mdi", "Debug files on S3."),
    Example(
      "mayday triage crashes/ --symbols symbols.mdi", "Any number of times, on any machine there."),
  ]

  @Argument("PATH", help: "Debug files: files, folders, dSYM bundles, archives.")
  var paths: [String]
  @Option("-o", "--output", help: "Output file for the index.", value: "OUT")
  var output: String?

  package init() {}

  package func validate() throws(UsageError) {
    if output == nil { throw UsageError("--output OUT is missing") }
  }

  package func run() throws {
    let addresses = try paths.filter { ObjectAddress.isMeant(by: $0) }.map {
      try ObjectAddress(parsing: $0)
    }
    let paths = paths.filter { !ObjectAddress.isMeant(by: $0) }
    try InputPaths.check(paths)
    let console = Console(colour: .auto)
    let bar = ProgressBar("Looking for debug files", isOn: console.isErrorTerminal)
    var writer = SymbolIndexWriter(engine: "mayday \(Product.version)")
    var files = 0
    func progress() {
      files += 1
      bar.update(files, of: nil)
    }
    writer.add(paths, progress: progress)
    let copies = CommandObjects.copies()
    for address in addresses { try writer.add(address, from: copies, progress: progress) }
    bar.finish()
    for refusal in writer.refusals { console.warn(refusal.description.printable) }
    let count = writer.count
    var parts: [ByteView] = []
    try writer.write { parts.append($0) }
    try OutputFile.write(parts, to: output ?? "")
    console.say(
      "\(GroupText.count(count, "file", "files")) with debug information, of \(files), "
        + "written to \((output ?? "").printable)")
  }
}
