package import Arguments
internal import Bytes
internal import CommandSupport
internal import Documents
internal import JSON
internal import Rendering
internal import Terminal

/// `mayday cores`
package struct CoresCommand: Command {
  package static let name = "cores"
  package static let summary = "List the core files that systemd-coredump keeps on this host."
  package static let discussion = """
    Program, process and signal come from the names and the attributes that systemd-coredump gives \
    the files; nothing is unpacked. triage and symbolicate read the listed files, ingest stores \
    them.
    """
  package static let examples = [
    Example("mayday cores", "What crashed on this host, newest first."),
    Example("mayday cores --stored", "Also show which of them are in the home."),
    Example(
      "mayday ingest --watch --after keep /var/lib/systemd/coredump",
      "Store existing and new ones, and leave the files where they are."),
  ]

  @Option("--dir", help: "The folder with the core files.", value: "DIR")
  var folder = "/var/lib/systemd/coredump"
  @Flag("--stored", help: "Read each file and show whether its report is in the home.") var stored
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = ListOptions()

  package init() {}

  package func run() throws {
    var cores = try KeptCore.list(in: folder)
    if stored {
      let store = try home.openForReading()
      for index in cores.indices { try cores[index].lookUp(in: store) }
    }
    guard try output.printedJSON(cores, { $0.write($1) }) == false else { return }
    let console = output.console
    if cores.isEmpty { return console.say("No core files in \(folder.printable).") }
    var columns: [TextTable.Column] = [
      .text("TIME"), .text("PROGRAM"), .number("PID"), .number("UID"), .text("SIGNAL"),
      .number("SIZE"), .text("READABLE"),
    ]
    if stored { columns.append(.text("STORED")) }
    columns.append(.text("FILE", .atEnd))
    var table = TextTable(columns)
    for core in cores {
      var row = [
        core.minute, core.program.printable, core.pid.map(String.init) ?? "",
        core.uid.map(String.init) ?? "", core.signal ?? "", DebugFileList.size(core.size),
        core.isReadable ? "yes" : "no",
      ]
      if stored { row.append(core.isStored.map { $0 ? "yes" : "no" } ?? "?") }
      row.append(core.file.printable)
      table.add(row)
    }
    try console.write(lines: table.lines(width: console.width, styles: console.styles))
  }
}
