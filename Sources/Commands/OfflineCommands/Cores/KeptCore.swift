internal import Bytes
internal import CAttributes
internal import CrashInput
internal import CrashStore
internal import Crypto
internal import Documents
internal import Files
internal import Glibc
internal import Identifiers

/// A core file that systemd-coredump keeps: `core.PROGRAM.UID.BOOT.PID.MICROSECONDS`, compressed or not.
///
/// Source: `make_filename` in systemd, `src/coredump/coredump.c`; the attributes in systemd-coredump(8).
struct KeptCore: Sendable {
  let file: String
  let path: String
  let time: Timestamp
  /// The first 15 bytes of the program's name.
  let program: String
  let uid: Int?
  let pid: Int?
  /// `SIGSEGV`, if the file has attributes.
  let signal: String?
  /// Size on disk in bytes, compressed or not.
  let size: Int
  let isReadable: Bool
  /// Whether the home has a report of it; `nil` if not looked up, or if the file cannot be read.
  var isStored: Bool?

  /// - Returns: `nil` for a file with another name.
  init?(_ name: String, in folder: String) {
    var parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if ["zst", "lz4", "xz", "gz"].contains(parts.last) { parts.removeLast() }
    // The name of the program may contain dots.
    guard parts.count >= 6, parts[0] == "core", let microseconds = Int(parts[parts.count - 1]),
      let pid = Int(parts[parts.count - 2]), let uid = Int(parts[parts.count - 4])
    else { return nil }
    file = name
    path = folder + "/" + name
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    size = Int(status.st_size)
    time = Timestamp(microseconds: microseconds)
    program = Self.unescaped(parts[1..<(parts.count - 4)].joined(separator: "."))
    self.uid = uid
    self.pid = pid
    signal = Self.attribute("signal", of: path).flatMap { Int32($0) }.flatMap(Self.signalName)
    isReadable = access(path, R_OK) == 0
  }

  /// `2027-01-15 08:00`, in UTC.
  var minute: String {
    let text = time.description.prefix(16)
    return text.prefix(10) + " " + text.suffix(5)
  }

  /// The core files in a folder, the newest first.
  ///
  /// - Throws: `FileError` where the folder cannot be read.
  static func list(in folder: String) throws -> [KeptCore] {
    try FolderNames.listed(folder).compactMap { KeptCore($0, in: folder) }
      .sorted { ($1.time, $0.file) < ($0.time, $1.file) }
  }

  /// Looks up whether the home has a report of it; decompresses the file to do so.
  mutating func lookUp(in store: CrashStore) throws {
    var digests: [[UInt8]] = []
    InputWalker().walk([path]) { file in
      if let bytes = try? file.content.get() { digests.append(SHA256.digest(of: bytes)) }
      return .next
    }
    isStored = digests.isEmpty ? nil : try !store.reports.known(digests).isEmpty
  }

  /// systemd writes characters that a file name may not contain as `\x2f`.
  private static func unescaped(_ name: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count >= 3,
        let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func attribute(_ name: String, of path: String) -> String? {
    var value = [UInt8](repeating: 0, count: 256)
    let count = getxattr(path, "user.coredump.\(name)", &value, value.count)
    return count > 0 ? String(decoding: value[..<count], as: UTF8.self) : nil
  }

  private static func signalName(_ number: Int32) -> String? {
    guard let name = sigabbrev_np(number) else { return "signal \(number)" }
    return "SIG" + String(cString: name)
  }
}

extension KeptCore: Documented {
  static let declaration = DocumentType<KeptCore>(writing: "CoreFile") {
    DocumentMember("path", derived: { $0.path }, .text, "The file.")
    DocumentMember("time", derived: { $0.time }, .time, "When the process crashed.")
    DocumentMember("program", derived: { $0.program }, .text, "The start of its name.")
    DocumentMember("pid", derivedOptional: { $0.pid }, .count)
    DocumentMember("uid", derivedOptional: { $0.uid }, .count)
    DocumentMember("signal", derivedOptional: { $0.signal }, .text, "What ended it.")
    DocumentMember("bytes", derived: { $0.size }, .count, "As the file lies there.")
    DocumentMember("readable", derived: { $0.isReadable }, .flag, "Whether you may read it.")
    DocumentMember(
      "stored", derivedOptional: { $0.isStored }, .flag, "Whether the home has its report.")
  }
}
