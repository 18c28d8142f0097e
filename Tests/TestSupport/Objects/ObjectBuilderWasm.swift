/// Small WebAssembly modules made by hand, so that they can lie.
///
/// Source: WebAssembly core specification, chapter 5.
public struct ObjectBuilderWasm {
  /// The sections, each preceded by its size.
  public var bodies: [[UInt8]] = []
  /// Module, name and the kind with what belongs to it.
  public var imports: [(String, String, [UInt8])] = []
  /// Limits as encoded in the section.
  public var memories: [[UInt8]] = []
  /// Name, kind and index.
  public var exports: [(String, UInt8, Int)] = []
  /// Function index and name.
  public var names: [(Int, String)] = []
  public var custom: [(String, [UInt8])] = []
  public var version: [UInt8] = [1, 0, 0, 0]
  public var hasCode = true

  public init() {}

  public static func number(_ value: Int) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    repeat {
      bytes.append(UInt8(rest & 127) | (rest > 127 ? 128 : 0))
      rest >>= 7
    } while rest > 0
    return bytes
  }

  public static func text(_ text: String) -> [UInt8] { number(text.utf8.count) + text.utf8 }

  private static func vector(_ items: [[UInt8]]) -> [UInt8] {
    number(items.count) + items.flatMap { $0 }
  }

  public func build() -> [UInt8] {
    var file: [UInt8] = [0, 0x61, 0x73, 0x6d] + version
    func add(_ id: UInt8, _ contents: [UInt8]) {
      file += [id] + Self.number(contents.count) + contents
    }
    add(1, [1, 0x60, 0, 0])
    if !imports.isEmpty {
      add(2, Self.vector(imports.map { Self.text($0.0) + Self.text($0.1) + $0.2 }))
    }
    if !memories.isEmpty { add(5, Self.vector(memories)) }
    if !exports.isEmpty {
      add(7, Self.vector(exports.map { Self.text($0.0) + [$0.1] + Self.number($0.2) }))
    }
    if hasCode { add(10, Self.vector(bodies.map { Self.number($0.count) + $0 })) }
    for (name, contents) in custom { add(0, Self.text(name) + contents) }
    if !names.isEmpty {
      let map = Self.vector(names.map { Self.number($0.0) + Self.text($0.1) })
      // The module's own name comes before the names of functions.
      let module = Self.text("module")
      add(
        0,
        Self.text("name") + [0] + Self.number(module.count) + module + [1]
          + Self.number(map.count) + map)
    }
    return file
  }
}
