import Documents
import JSON
import Rendering
import Terminal
import Updates

/// The metadata of an artefact, and which of its debug files exist.
struct ArtefactInspection {
  let file: String
  let package: AppPackage
  /// Debug files of its executables, libraries and code.
  let list: BuildCheckList

  func print(_ console: Console, json: Bool) throws {
    if json {
      var writer = JSONWriter(pretty: true)
      write(to: &writer)
      writer.newLine()
      try console.write(json: writer.takeBytes())
      return
    }
    var lines = PackageText(package).lines(width: console.width, styles: console.styles)
    if !list.findings.isEmpty {
      lines += [""] + list.lines(width: console.width, styles: console.styles)
    }
    try console.write(lines: lines)
    if let problem = list.problem { console.say(problem) }
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("file", file)
    writer.key("package")
    AppPackage.declaration.write(package, to: &writer)
    writer.member("complete", list.problem == nil && !list.findings.isEmpty)
    writer.key("files")
    list.writeFindings(to: &writer)
    writer.endObject()
  }
}
