public import Bytes
public import Identifiers

/// The metadata of a program or library of .NET: its id, the names of its types and methods.
///
/// Source: ECMA-335, sections II.22 to II.25.
public struct ManagedAssembly: Sendable {
  private let root: MetadataRoot
  /// The id of the module, which Mono prints instead of a file: `in <12b4…>:0`.
  public let moduleID: DebugID
  private let outerTypes: [UInt32: UInt32]

  /// - Parameter metadata: The bytes from "BSJB" on.
  /// - Throws: ``ParseError`` for damage.
  public init(parsing metadata: ByteView) throws(ParseError) {
    root = try MetadataRoot(parsing: metadata)
    guard let index = root.tables.value(.module, 1, 2), let guid = root.guid(index) else {
      throw ParseError(.invalid("no module"), in: "metadata", at: 0)
    }
    moduleID = DebugID(uuid: guid).turned
    var outer: [UInt32: UInt32] = [:]
    for row in 0..<root.tables.rows(of: .nestedClass) {
      guard let inner = root.tables.value(.nestedClass, row + 1, 0),
        let around = root.tables.value(.nestedClass, row + 1, 1)
      else { continue }
      outer[inner] = around
    }
    outerTypes = outer
  }

  public var methodCount: UInt32 { root.tables.rows(of: .method) }

  /// The name of a method as a stack has it: `Shop.Cart.Total`.
  ///
  /// - Complexity: O(log types).
  public func name(ofMethod row: UInt32) -> String? {
    guard let offset = root.tables.value(.method, row, 3), let name = root.string(offset) else {
      return nil
    }
    guard let type = self.type(ofMethod: row).flatMap({ self.name(ofType: $0) }) else {
      return name
    }
    return type + "." + name
  }

  /// The last type whose methods begin at or before the row; those without methods begin where the next
  /// one does.
  private func type(ofMethod row: UInt32) -> UInt32? {
    let count = Int(root.tables.rows(of: .typeDefinition))
    let next = (0..<count).lowerBound {
      root.tables.value(.typeDefinition, UInt32($0 + 1), 5).map { $0 <= row } ?? false
    }
    return next > 0 ? UInt32(next) : nil
  }

  private func name(ofType row: UInt32) -> String? {
    var parts: [String] = []
    var row = row
    for _ in 0..<MetadataLimits.nesting {
      guard let offset = root.tables.value(.typeDefinition, row, 1), let name = root.string(offset)
      else { return nil }
      parts.append(name)
      if let outer = outerTypes[row] {
        row = outer
        continue
      }
      if let offset = root.tables.value(.typeDefinition, row, 2), let space = root.string(offset),
        !space.isEmpty
      {
        parts.append(space)
      }
      return parts.reversed().joined(separator: ".")
    }
    return nil
  }

  /// The methods of a type and name, `Shop.Cart.Total`, with the number of their parameters.
  ///
  /// - Complexity: O(methods).
  public func methods(named name: String) -> [(row: UInt32, parameters: Int)] {
    // Mono prints nested types with a slash or a plus.
    let wanted = name.replacing("/", with: ".").replacing("+", with: ".")
    let last = wanted.hasSuffix("..ctor") ? ".ctor" : wanted.hasSuffix("..cctor") ? ".cctor" : nil
    let simple = last ?? wanted.split(separator: ".").last.map(String.init) ?? wanted
    var found: [(row: UInt32, parameters: Int)] = []
    for index in 0..<methodCount where found.count < MetadataLimits.overloads {
      let row = index + 1
      guard let offset = root.tables.value(.method, row, 3), root.string(offset) == simple,
        self.name(ofMethod: row) == wanted
      else { continue }
      found.append((row, parameterCount(row) ?? -1))
    }
    return found
  }

  /// The signature begins with its kind, for generic methods the number of their types, then the number of
  /// parameters.
  private func parameterCount(_ row: UInt32) -> Int? {
    guard let offset = root.tables.value(.method, row, 4), let blob = try? root.blob(offset) else {
      return nil
    }
    var reader = BlobReader(blob.bytes)
    guard let kind = try? reader.readByte() else { return nil }
    if kind & 0x10 != 0 { guard (try? reader.readUnsigned()) != nil else { return nil } }
    return (try? reader.readUnsigned()).map { Int($0) }
  }
}
