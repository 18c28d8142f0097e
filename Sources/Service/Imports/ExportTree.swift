internal import Bytes
internal import Files
internal import Glibc

/// The files of an export on disk, in the order of their names.
///
/// Symbolic links are followed to files, not to folders. A bundle of debug information is one item.
struct ExportTree {
  private(set) var files: [String] = []
  /// dSYM bundles and archives of Xcode.
  private(set) var bundles: [String] = []
  /// Paths that cannot be read, with the reason.
  private(set) var unread: [(path: String, reason: String)] = []

  /// The most folders inside each other.
  private static let depth = 64

  init(_ paths: [String]) {
    for path in paths {
      var path = path
      while path.count > 1, path.hasSuffix("/") { path.removeLast() }
      walk(path, depth: 0, isNamed: true)
    }
  }

  private mutating func walk(_ path: String, depth: Int, isNamed: Bool) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      unread.append((path, "cannot be opened: \(FileError("open", path: path).reason)"))
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: files.append(path)
    case S_IFDIR:
      if path.hasSuffix(".dSYM") || path.hasSuffix(".xcarchive") {
        bundles.append(path)
        return
      }
      var link = stat()
      guard isNamed || lstat(path, &link) == 0 && link.st_mode & S_IFMT == S_IFDIR else {
        unread.append((path, "a symbolic link to a folder, which is not followed"))
        return
      }
      guard depth < Self.depth else {
        unread.append((path, "more than \(Self.depth) folders inside each other"))
        return
      }
      do throws(FileError) {
        for name in try FolderNames.listed(path).sorted() {
          walk(path == "/" ? "/\(name)" : "\(path)/\(name)", depth: depth + 1, isNamed: false)
        }
      } catch {
        unread.append((path, "cannot be read: \(error.reason)"))
      }
    default: unread.append((path, "not a file"))
    }
  }
}

/// The parts of a path in an export that may be ids.
struct PathNames {
  /// The folders and the file, without the file's ending; outermost first.
  let parts: [String]
  /// The texts in ``parts`` between characters that no id has.
  let words: Set<String>

  init(_ path: String) {
    var parts = path.split { $0 == "/" || $0 == "!" }.map(String.init)
    if let last = parts.popLast() {
      parts.append(last.split(separator: ".").first.map(String.init) ?? last)
    }
    self.parts = parts.map { Self.decoded($0) }
    words = Set(
      self.parts.flatMap { part in
        [part]
          + part.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
      })
  }

  /// The part after the last one with a name, such as that of a group after `distribution_groups`.
  func part(after name: String) -> String? {
    guard let index = parts.lastIndex(of: name), index + 1 < parts.count else { return nil }
    return parts[index + 1]
  }

  /// The text without percent-encoding, as it is in addresses.
  static func decoded(_ text: String) -> String {
    guard text.contains("%") else { return text }
    var bytes: [UInt8] = []
    let raw = Array(text.utf8)
    var index = 0
    while index < raw.count {
      if raw[index] == UInt8(ascii: "%"), index + 2 < raw.count,
        let byte = UInt8(String(decoding: raw[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        bytes.append(byte)
        index += 3
      } else {
        bytes.append(raw[index])
        index += 1
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? text
  }
}
