internal import Bytes

/// A Protocol Buffers message in an app bundle: its fields in order, each a number or bytes.
///
/// Source: "Encoding" in the documentation of Protocol Buffers; Resources.proto of aapt2.
struct BundleMessage {
  struct Field {
    let number: UInt64
    /// 0 for bytes.
    let value: UInt64
    /// Text, or another message; empty for a number.
    let bytes: ByteView
  }

  let fields: [Field]

  /// - Throws: ``ParseError`` for bytes that are not a message.
  init(_ bytes: ByteView) throws(ParseError) {
    var reader = ByteReader(bytes.bytes, reading: "protobuf message")
    var fields: [Field] = []
    while !reader.isAtEnd {
      let key = try reader.readULEB128()
      var value: UInt64 = 0
      var part = ByteView.empty
      switch key & 7 {
      case 0: value = try reader.readULEB128()
      case 1: value = try reader.read()
      case 5: value = UInt64(try reader.read(UInt32.self))
      case 2:
        let count = try reader.readULEB128()
        let start = reader.position
        try reader.skip(Int(clamping: count))
        part = bytes.clamped(start..<reader.position)
      default: throw reader.error(.invalid("the wire type \(key & 7)"))
      }
      guard fields.count < AppPackageLimits.values else {
        throw reader.error(.limit(name: "fields", value: AppPackageLimits.values))
      }
      fields.append(Field(number: key >> 3, value: value, bytes: part))
    }
    self.fields = fields
  }

  /// The last field with a number; later ones override earlier ones, as usual in Protocol Buffers.
  private func last(_ number: UInt64) -> Field? { fields.last { $0.number == number } }

  func has(_ number: UInt64) -> Bool { last(number) != nil }
  func number(_ number: UInt64) -> UInt64 { last(number)?.value ?? 0 }
  func bytes(_ number: UInt64) -> ByteView { last(number)?.bytes ?? .empty }
  func text(_ number: UInt64) -> String { bytes(number).text }

  func message(_ number: UInt64) throws(ParseError) -> BundleMessage? {
    guard let field = last(number) else { return nil }
    return try BundleMessage(field.bytes)
  }

  func all(_ number: UInt64) -> [ByteView] { fields.filter { $0.number == number }.map(\.bytes) }
}

extension AndroidElement {
  /// Reads a manifest of an app bundle: an XmlNode.
  ///
  ///     XmlNode         XmlElement             XmlAttribute
  ///     1  element      1  namespaces          1  namespace
  ///     2  text         2  namespace           2  name
  ///                     3  name                3  text
  ///                     4  attributes          5  number of the system's attribute
  ///                     5  nodes in it         6  value, an Item
  init(bundle bytes: ByteView) throws(ParseError) {
    var count = 0
    guard let root = try Self.element(bytes, depth: 0, &count) else {
      throw ParseError(.notRecognised, in: "manifest of a bundle", at: 0)
    }
    self = root
  }

  private static func element(
    _ bytes: ByteView, depth: Int, _ count: inout Int
  ) throws(ParseError) -> AndroidElement? {
    guard depth < AppPackageLimits.depth else {
      throw ParseError(
        .limit(name: "elements within elements", value: AppPackageLimits.depth),
        in: "manifest of a bundle", at: 0)
    }
    guard let node = try BundleMessage(bytes).message(1) else { return nil }
    count += 1
    guard count <= AppPackageLimits.values else {
      throw ParseError(
        .limit(name: "elements", value: AppPackageLimits.values), in: "manifest of a bundle", at: 0)
    }
    var element = AndroidElement(name: node.text(3))
    for field in node.fields {
      switch field.number {
      case 4:
        let attribute = try BundleMessage(field.bytes)
        let value = try attribute.message(6).map { (item) throws(ParseError) in
          try AndroidValue(item: item)
        }
        let text = AndroidValue.string(attribute.text(3))
        element.attributes.append(
          Attribute(
            resource: UInt32(truncatingIfNeeded: attribute.number(5)),
            namespace: attribute.text(1), name: attribute.text(2),
            value: value == nil || value == .other ? text : value ?? text))
      case 5:
        if let child = try Self.element(field.bytes, depth: depth + 1, &count) {
          element.children.append(child)
        }
      default: break
      }
    }
    return element
  }
}

extension AndroidValue {
  /// An Item: 1 reference (2: its number), 2 string, 3 raw string, 5 file (1: its path), 7 primitive (6
  /// decimal, 7 hexadecimal, 8 boolean).
  init(item: BundleMessage) throws(ParseError) {
    for field in item.fields {
      let value = try BundleMessage(field.bytes)
      switch field.number {
      case 1: self = .reference(UInt32(truncatingIfNeeded: value.number(2)))
      case 2, 3, 4, 5:
        let text = value.bytes(1)
        self = text.count <= AppPackageLimits.resourceText ? .string(text.text) : .other
      case 7:
        guard let number = ([6, 7, 8] as [UInt64]).first(where: value.has) else { continue }
        self = .integer(UInt32(truncatingIfNeeded: value.number(number)))
      default: continue
      }
      return
    }
    self = .other
  }
}

/// The resources of an app bundle: a ResourceTable.
///
///     ResourceTable   Package         Type          Entry               ConfigValue   Value
///     2  packages     1  its number   1  number     1  number           1  devices    4  Item
///                     3  types        2  name       6  values           2  value
///                                     3  entries
///
/// Each number is in a message of its own, in field 1. In a Configuration, 18 is the density and 24 the
/// version of the system.
struct BundleResources: AndroidResources {
  /// Values by resource number.
  private var entries: [UInt32: [ByteView]] = [:]

  /// - Throws: ``ParseError`` for damage.
  init(parsing bytes: ByteView) throws(ParseError) {
    for part in try BundleMessage(bytes).all(2) {
      let package = try BundleMessage(part)
      let number = (try package.message(1)?.number(1) ?? 0) & 0xff
      for part in package.all(3) {
        let type = try BundleMessage(part)
        let typeKey = number << 8 | (try type.message(1)?.number(1) ?? 0) & 0xff
        for part in type.all(3) {
          let entry = (try BundleMessage(part).message(1)?.number(1) ?? 0) & 0xffff
          entries[UInt32(typeKey << 16 | entry), default: []].append(part)
        }
      }
    }
  }

  func values(of id: UInt32) throws(ParseError) -> [AndroidResource] {
    var found: [AndroidResource] = []
    for entry in entries[id] ?? [] {
      for part in try BundleMessage(entry).all(6) {
        guard found.count < AppPackageLimits.configurations else {
          throw ParseError(
            .limit(name: "configurations", value: AppPackageLimits.configurations),
            in: "resources of a bundle", at: 0)
        }
        let value = try BundleMessage(part)
        let devices = try value.message(1)
        guard let item = try value.message(2)?.message(4) else { continue }
        let density = Int(clamping: devices?.number(18) ?? 0)
        found.append(
          AndroidResource(
            isDefault: devices?.fields.allSatisfy { $0.number == 18 || $0.number == 24 } ?? true,
            density: density >= 0xfffe ? 0 : density, value: try AndroidValue(item: item)))
      }
    }
    return found
  }
}
