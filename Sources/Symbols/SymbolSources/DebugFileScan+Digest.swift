internal import Bytes
internal import Crypto
internal import Identifiers

extension DebugFileScan {
  /// A digest of what was found: two scans with one digest have the same files, wherever these are. It is made of
  /// their ids and sizes, so that no file has to be read as a whole.
  public var digest: String { Self.digest(of: digestLines) }

  static func digest(of lines: [String]) -> String {
    SHA256.hex(SHA256.digest(of: ByteView(Array(lines.sorted().joined(separator: "\n").utf8))))
  }

  static func digestLines(of files: [DebugFile]) -> [String] {
    var scan = DebugFileScan()
    scan.files = files
    return scan.digestLines
  }

  /// The lines that the digest is made of, one for each file.
  var digestLines: [String] {
    var lines: [String] = []
    func add(_ kind: String, _ parts: [String?], _ bytes: ByteView) {
      lines.append(
        ([kind] + parts.map { $0 ?? "-" } + [String(bytes.count)]).joined(separator: " "))
    }
    for file in files {
      add(
        "file",
        [file.debugID?.description, file.codeID?.description, file.architecture.description],
        file.fileBytes)
    }
    for file in bundles {
      add("bundle", [file.debugID?.description, file.codeID?.description], file.fileBytes)
    }
    for file in mappings {
      add("mapping", [file.debugID?.description, file.name], file.fileBytes)
    }
    for file in supplementary { add("supplementary", [file.name], file.fileBytes) }
    lines += objectFiles.map { "object " + lastPathComponent(of: $0) }
    return lines
  }
}
