internal import Archives
package import Bytes
internal import CrashService
internal import Crypto
internal import Files
package import Identifiers

/// The content of one request: a debug file or a report, with the files that belong to it.
package struct UploadItem {
  package enum Kind: String {
    case symbols, report
  }

  package struct UploadedFile {
    package let name: String
    package let bytes: ByteView
    /// SHA-256 in hexadecimal digits.
    package let digest: String

    package init(_ name: String, _ bytes: ByteView) {
      self.name = name
      self.bytes = bytes
      digest = SHA256.hex(of: bytes)
    }
  }

  package let kind: Kind
  /// Its location, for display.
  package let path: String
  /// The file itself, then the files of its split units, or its attachments.
  package private(set) var files: [UploadedFile]
  /// The release that the bundle of a debug file names.
  package var bundle: Release?

  package init(_ kind: Kind, path: String, _ file: UploadedFile) {
    self.kind = kind
    self.path = path
    files = [file]
  }

  package mutating func add(_ file: UploadedFile) { files.append(file) }

  package var size: Int { files.reduce(0) { $0 + $1.bytes.count } }

  /// The name under which it is sent.
  package var name: String {
    (files.first?.name ?? "") + (files.count > 1 ? ".tar.zst" : "")
  }

  /// Returns the bytes to send: several parts as an archive, whose names show what belongs together.
  package func body() throws -> ByteView {
    guard let first = files.first, files.count > 1 else { return files.first?.bytes ?? .empty }
    let folder = Folder.temporary
    return try ArchiveWriter.scratch(in: folder, named: name) { writer in
      let own = Self.safe(first.name, otherwise: "file")
      try writer.add(own, first.bytes, modified: 0)
      var names: Set<String> = [own]
      for (index, file) in files.dropFirst().enumerated() {
        var name = Self.safe(file.name, otherwise: "part-\(index + 1)")
        if kind == .report { name = "\(own).attachments/\(name)" }
        if !names.insert(name).inserted { name += "-\(index + 1)" }
        try writer.add(name, file.bytes, modified: 0)
      }
    }
  }

  private static func safe(_ name: String, otherwise: String) -> String {
    let last = name.split(separator: "/").last.map(String.init) ?? ""
    return last.utf8.count <= 200 && ArchiveWriter.isSafe(last) ? last : otherwise
  }
}
