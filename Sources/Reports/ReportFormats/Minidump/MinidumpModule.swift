internal import Bytes
internal import CrashModel
internal import Identifiers

/// A module of a minidump.
///
///     OFFSET  SIZE  FIELD
///          0     8  base
///          8     4  size
///         16     4  time stamp
///         20     4  offset of the name
///         24    52  version of the file: VS_FIXEDFILEINFO
///         76     8  size and offset of the CodeView record
///        108        end; C compilers pad it to 112 in memory
///
/// Sources: MINIDUMP_MODULE in minidumpapiset.h; the CodeView record of ELF files: `MDCVInfoELF` in Breakpad,
/// `src/google_breakpad/common/minidump_format.h`.
struct MinidumpModule {
  static let size = 108
  /// No system has longer file names; every frame repeats the name.
  private static let longestName = 255

  /// - Returns: `nil` for an entry that is cut off.
  static func image(
    _ entry: ByteView, of system: MinidumpSystem, in file: MinidumpFile
  ) -> LoadedImage? {
    guard let base = file.number(entry, at: 0, as: UInt64.self),
      let size = file.number(entry, at: 8, as: UInt32.self),
      let timestamp = file.number(entry, at: 16, as: UInt32.self),
      let nameOffset = file.number(entry, at: 20, as: UInt32.self)
    else { return nil }
    let path = file.wideText(at: UInt64(nameOffset), limit: MinidumpFile.Limits.path) ?? ""
    var image = LoadedImage(
      name: String(fileName(of: path).prefix(longestName)), path: path.isEmpty ? nil : path,
      architecture: system.processor.architecture, base: Address(base),
      size: size == 0 ? nil : UInt64(size))
    image.version = version(entry, of: system, in: file)
    let record = codeView(entry, in: file)
    image.debugID = record?.debugID
    image.debugFile = record?.name.flatMap { $0.isEmpty ? nil : $0 }
    switch system.family {
    case .windows:
      if timestamp != 0 || size != 0 {
        image.codeID = CodeID(timestamp: timestamp, imageSize: size)
      }
    case .apple: image.codeID = record?.debugID.flatMap { $0.isZero ? nil : CodeID($0.uuid) }
    default: image.codeID = record?.buildID.map { CodeID($0) }
    }
    if image.name.isEmpty { image.name = record?.name ?? image.codeID?.description ?? "unnamed" }
    return image
  }

  /// A module that was unloaded:
  ///
  ///     OFFSET  SIZE  FIELD
  ///          0     8  base
  ///          8     4  size
  ///         16     4  time stamp
  ///         20     4  offset of the name
  ///
  /// Source: MINIDUMP_UNLOADED_MODULE in minidumpapiset.h.
  static func unloadedImage(
    _ entry: ByteView, of system: MinidumpSystem, in file: MinidumpFile
  ) -> LoadedImage? {
    guard let base = file.number(entry, at: 0, as: UInt64.self),
      let size = file.number(entry, at: 8, as: UInt32.self),
      let timestamp = file.number(entry, at: 16, as: UInt32.self),
      let nameOffset = file.number(entry, at: 20, as: UInt32.self)
    else { return nil }
    let path = file.wideText(at: UInt64(nameOffset), limit: MinidumpFile.Limits.path) ?? ""
    let name = fileName(of: path)
    return LoadedImage(
      name: name.isEmpty ? "unnamed" : name, path: path == name || path.isEmpty ? nil : path,
      architecture: system.processor.architecture,
      codeID: timestamp == 0 ? nil : CodeID(timestamp: timestamp, imageSize: size),
      base: Address(base), size: UInt64(size))
  }

  /// The last part of a path with slashes of either kind.
  private static func fileName(of path: String) -> String {
    path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
  }

  private struct Record {
    var debugID: DebugID?
    var buildID: [UInt8]?
    var name: String?
  }

  private static func codeView(_ entry: ByteView, in file: MinidumpFile) -> Record? {
    guard let size = file.number(entry, at: 76, as: UInt32.self),
      let offset = file.number(entry, at: 80, as: UInt32.self),
      size <= MinidumpFile.Limits.codeViewBytes, let bytes = file.part(at: offset, size: size),
      let signature = file.number(bytes, at: 0, as: UInt32.self)
    else { return nil }
    switch signature {
    case 0x5344_5352:  // "RSDS": GUID, age, name
      guard let age = file.number(bytes, at: 20, as: UInt32.self) else { return nil }
      let guid = DebugID(uuid: bytes.clamped(4..<20).array, age: age)
      let id = file.endianness == .little ? guid.turned : guid
      let name = bytes.clamped(24..<bytes.count).array.prefix { $0 != 0 }
      return Record(
        debugID: id.isZero ? nil : id, name: fileName(of: String(decoding: name, as: UTF8.self)))
    case 0x3031_424e:  // "NB10": offset, time stamp, age, name
      guard let timestamp = file.number(bytes, at: 8, as: UInt32.self),
        let age = file.number(bytes, at: 12, as: UInt32.self)
      else { return nil }
      let name = bytes.clamped(16..<bytes.count).array.prefix { $0 != 0 }
      return Record(
        debugID: DebugID(timestamp: timestamp, age: age),
        name: fileName(of: String(decoding: name, as: UTF8.self)))
    case 0x4270_454c:  // "BpEL": the build id
      let id = bytes.clamped(4..<bytes.count).array
      guard id.contains(where: { $0 != 0 }) else { return nil }
      let debugID = DebugID(uuid: id)
      return Record(debugID: file.endianness == .little ? debugID.turned : debugID, buildID: id)
    default: return nil
    }
  }

  /// `10.0.19041.1`; ELF files have the numbers in whole words.
  private static func version(
    _ entry: ByteView, of system: MinidumpSystem, in file: MinidumpFile
  ) -> String? {
    guard file.number(entry, at: 24, as: UInt32.self) == 0xfeef_04bd else { return nil }
    let words = [32, 36, 40, 44].compactMap { file.number(entry, at: $0, as: UInt32.self) }
    guard words.count == 4, words.contains(where: { $0 != 0 }) else { return nil }
    let numbers =
      system.family == .linux
      ? words : words.prefix(2).flatMap { [$0 >> 16, $0 & 0xffff] }
    return numbers.map(String.init).joined(separator: ".")
  }
}
