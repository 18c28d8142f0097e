internal import CrashModel
internal import Identifiers

/// The libraries that Android's frames name.
struct AndroidImages {
  private struct Key: Hashable {
    let path: String
    let fileOffset: UInt64
  }

  private(set) var images: [LoadedImage] = []
  /// Whether an image was left out because of the limit.
  private(set) var isFull = false
  private var indices: [Key: Int] = [:]
  var architecture: Architecture?

  /// The index of the image.
  ///
  /// - Parameters:
  ///   - fileOffset: The offset of the library in the file.
  ///   - buildID: Its build id in hexadecimal, if it is printed.
  mutating func index(of path: String, fileOffset: UInt64, buildID: String?) -> Int? {
    let path = Self.inside(path)
    let key = Key(path: path, fileOffset: fileOffset)
    if let index = indices[key] {
      if images[index].codeID == nil { identify(index, as: buildID) }
      return index
    }
    guard images.count < FormatLimits.images else {
      isFull = true
      return nil
    }
    let index = images.count
    images.append(
      LoadedImage(name: Self.name(of: path), path: path.hasPrefix("/") ? path : nil))
    images[index].architecture = architecture
    identify(index, as: buildID)
    indices[key] = index
    return index
  }

  private mutating func identify(_ index: Int, as buildID: String?) {
    guard let code = buildID.flatMap({ CodeID($0) }) else { return }
    images[index].codeID = code
    images[index].debugID = DebugID(buildID: code.bytes)
  }

  /// Sets the build id that a table gives for the file at `path`, for all its images without one.
  mutating func identify(path: String, as buildID: String) {
    guard let index = indices[Key(path: path, fileOffset: 0)], images[index].codeID == nil else {
      return
    }
    identify(index, as: buildID)
  }

  /// Sets the load address of the image.
  mutating func setBase(_ base: UInt64, of index: Int) {
    if images[index].base == nil { images[index].base = Address(base) }
  }

  /// The path of code that the runtime unpacked into memory: `[anon:dalvik-classes2.dex extracted in memory from
  /// /data/app/x/base.apk!classes2.dex]`.
  private static func inside(_ path: String) -> String {
    guard path.hasPrefix("[anon:dalvik-"),
      let range = path.firstRange(of: " extracted in memory from ")
    else { return path }
    let inner = path[range.upperBound...]
    return String(inner.last == "]" ? inner.dropLast() : inner)
  }

  /// The last part of the path; for a library in an archive, its own name.
  private static func name(of path: String) -> String {
    // `[anon:dalvik-/system/x]` and the like are names of memory, not paths.
    if path.hasPrefix("[") || path.hasPrefix("<") { return path }
    var text = path
    if text.hasSuffix(" (deleted)") { text.removeLast(10) }
    let last = text.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "!") }
    guard let last else { return text }
    let name = text[text.utf8.index(after: last)...]
    return name.isEmpty ? text : String(name)
  }
}
