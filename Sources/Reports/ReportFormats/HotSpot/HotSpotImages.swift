internal import Bytes
internal import CrashModel
internal import Identifiers

/// The list `Dynamic libraries:`:
///
///     7fcf33600000-7fcf33a00000 r-xp 00000000 08:01 1234   /usr/lib/jvm/lib/server/libjvm.so      Linux
///     0x00007ff7598b0000 - 0x00007ff759912000 	C:\java\bin\java.exe                               Windows
///     0x00007ff810000000 	/usr/lib/libSystem.B.dylib                                              macOS, Solaris
struct HotSpotImages {
  private(set) var images: [LoadedImage] = []
  private var byPath: [String: Int] = [:]
  private var byName: [String: Int] = [:]
  private(set) var leftOut = 0

  mutating func take(_ line: RawSpan) {
    var position = 0
    let start: UInt64?
    if line.has("0x") {
      start = line.hexadecimal(at: &position)
    } else {
      start = line.hexadecimalDigits(at: &position)
      guard line.byteOrZero(position) == UInt8(ascii: "-") else { return }
    }
    guard let start else { return }
    var end: UInt64?
    position = line.skippingBlanks(from: position)
    if line.byteOrZero(position) == UInt8(ascii: "-") {
      position = line.skippingBlanks(from: position + 1)
      end =
        line.has("0x", at: position)
        ? line.hexadecimal(at: &position) : line.hexadecimalDigits(at: &position)
    }
    // A path begins with a slash or a drive, whatever precedes it.
    guard let path = Self.path(line.from(position)) else { return }
    add(path, start, end)
  }

  private static func path(_ text: RawSpan) -> String? {
    let slash = text.find(UInt8(ascii: "/"))
    if let colon = text.find(":\\"), colon > 0, slash.map({ colon < $0 }) ?? true {
      return text.from(colon - 1).trimmed.name
    }
    guard let slash, slash == 0 || text.byte(slash - 1).isBlank else { return nil }
    let path = text.from(slash).trimmed
    // Mapped files without code.
    for end: StaticString in [".jar", ".jsa", ".ttf", "/locale-archive", "/modules"]
    where path.ends(with: end) { return nil }
    if path.has("/dev/") || path.has("/tmp/hsperfdata") || path.has("/memfd:") || path.has("/SYSV")
    {
      return nil
    }
    return path.name
  }

  private mutating func add(_ path: String, _ start: UInt64, _ end: UInt64?) {
    if let index = byPath[path] {
      guard let base = images[index].base, let end, end > base.value else { return }
      images[index].size = max(images[index].size ?? 0, end - base.value)
      return
    }
    guard images.count < FormatLimits.images else {
      leftOut += 1
      return
    }
    let name = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? path
    var image = LoadedImage(name: name, path: path, base: Address(start))
    if let end, end > start { image.size = end - start }
    byPath[path] = images.count
    if byName[name] == nil { byName[name] = images.count }
    images.append(image)
  }

  /// The image of that name; an unlisted one is added without an address.
  mutating func index(of name: String) -> Int? {
    if let index = byName[name] { return index }
    guard images.count < FormatLimits.images, !name.isEmpty else { return nil }
    byName[name] = images.count
    images.append(LoadedImage(name: name))
    return images.count - 1
  }
}
