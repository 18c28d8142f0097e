internal import Bytes
internal import CrashModel
internal import Identifiers

/// The images that a sanitizer's frames name, one for each path.
struct SanitizerImages {
  private(set) var images: [LoadedImage] = []
  private var indices: [String: Int] = [:]
  private(set) var isFull = false
  /// The index that was found last: neighbours on a stack are mostly in one image.
  private var last: Int?
  private var lastPath = ""

  /// The index of the image of `module`, whose `offset` is at `address`.
  mutating func index(of module: SanitizerFrame.Module, at address: UInt64?) -> Int? {
    let known = last.flatMap { lastPath == module.path ? $0 : nil } ?? indices[module.path]
    if let index = known {
      last = index
      lastPath = module.path
      if images[index].codeID == nil { identify(index, as: module) }
      if images[index].base == nil { locate(index, module, at: address) }
      return index
    }
    guard images.count < FormatLimits.images else {
      isFull = true
      return nil
    }
    let index = images.count
    images.append(LoadedImage(name: Self.name(of: module.path)))
    if module.path.utf8.contains(where: { $0 == 47 || $0 == 92 }) {
      images[index].path = module.path
    }
    if let architecture = module.architecture {
      images[index].architecture = Architecture(architecture)
    }
    identify(index, as: module)
    locate(index, module, at: address)
    indices[module.path] = index
    return index
  }

  /// Gives an image known only by its file name the path of `module`.
  mutating func complete(with module: SanitizerFrame.Module) {
    let name = Self.name(of: module.path)
    guard name != module.path, let index = indices[name], images[index].path == nil else { return }
    images[index].path = module.path
  }

  private mutating func identify(_ index: Int, as module: SanitizerFrame.Module) {
    guard let text = module.buildID, let code = CodeID(text) else { return }
    if module.architecture != nil {
      // On Apple systems it is the UUID; some versions print the bytes after it too.
      let uuid = code.bytes.prefix(16)
      images[index].codeID = CodeID(uuid)
      images[index].debugID = DebugID(uuid: uuid)
    } else {
      images[index].codeID = code
      images[index].debugID = DebugID(buildID: code.bytes)
    }
  }

  /// The printed offset is the pc without the load bias. For a program that is linked for a fixed
  /// address that is the address itself, and the base is 0.
  private mutating func locate(
    _ index: Int, _ module: SanitizerFrame.Module, at address: UInt64?
  ) {
    guard let address, address >= module.offset else { return }
    images[index].base = Address(address - module.offset)
  }

  private static func name(of path: String) -> String {
    let last = path.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    guard let last else { return path }
    let name = path[path.utf8.index(after: last)...]
    return name.isEmpty ? path : String(name)
  }
}
