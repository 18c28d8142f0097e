internal import Archives
package import Bytes
internal import CrashService
package import HTTP
package import ServerStore

/// A form as sent by `curl -F file=@crash.ips -F attachment=@log.txt`: files that are reports, and
/// attachments that belong to the first report.
package struct SubmittedForm {
  private var reports: [FormPart] = []
  private var attachments: [FormPart] = []

  /// - Throws: ``HTTPError`` if it has no file.
  package init(_ parts: [FormPart]) throws {
    for part in parts where part.fileName != nil || part.name == "file" {
      if part.name.hasPrefix("attachment") {
        attachments.append(part)
      } else {
        reports.append(part)
      }
    }
    guard !reports.isEmpty else {
      throw HTTPError.refused(
        .badRequest, "the form has no file: -F file=@crash.ips", code: .invalidBody)
    }
  }

  /// Returns the form as an archive whose names show which files belong together.
  package func archive(in scratch: ScratchSpace) throws -> ByteView {
    try ArchiveWriter.scratch(in: scratch.path, named: "form") { writer in
      var names: Set<String> = []
      var first = ""
      for (index, part) in reports.enumerated() {
        let name = Self.name(of: part, otherwise: "report-\(index + 1)", among: &names)
        if first.isEmpty { first = name }
        try writer.add(name, part.read(), modified: 0)
      }
      var inner: Set<String> = []
      for (index, part) in attachments.enumerated() {
        let name = Self.name(of: part, otherwise: "attachment-\(index + 1)", among: &inner)
        try writer.add("\(first).attachments/\(name)", part.read(), modified: 0)
      }
    }
  }

  /// Returns the client's file name as far as it is valid, and unique.
  private static func name(
    of part: FormPart, otherwise: String, among names: inout Set<String>
  ) -> String {
    let last = (part.fileName ?? "").split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    var name = last.utf8.count > 200 || !ArchiveWriter.isSafe(last) ? otherwise : last
    while !names.insert(name).inserted { name = "\(names.count)-\(name)" }
    return name
  }
}
