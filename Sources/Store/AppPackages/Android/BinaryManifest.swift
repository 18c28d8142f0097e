internal import Bytes

/// A binary XML document in an APK: chunks for its strings, the numbers of its attributes, and the start and
/// end of each element.
///
///     START OF AN ELEMENT, after the header          ATTRIBUTE
///      0  4  namespace                                0  4  namespace
///      4  4  name                                     4  4  name
///      8  2  offset of the attributes, from here      8  4  text as it was written
///     10  2  size of an attribute                    12  8  value
///     12  2  number of attributes
///
/// Namespaces, names and texts are indexes into the string pool. The system identifies its attributes by
/// numbers, which chunk 0x0180 lists for the first of the strings.
///
/// Source: ResXMLTree_node and what follows it in ResourceTypes.h of androidfw.
enum BinaryManifest {
  static func isManifest(_ bytes: ByteView) -> Bool { bytes.starts(with: [3, 0]) }

  /// - Throws: ``ParseError`` for another kind of file, damage, and at the limits.
  static func root(of bytes: ByteView) throws(ParseError) -> AndroidElement {
    let document = try AndroidChunk(in: bytes, at: 0, base: 0)
    guard document.type == AndroidChunk.document else {
      throw ParseError(.notRecognised, in: "binary XML", at: 0)
    }
    var strings: AndroidStrings?
    var numbers: [UInt32] = []
    var open: [AndroidElement] = []
    var root: AndroidElement?
    var values = 0
    for chunk in try AndroidChunk.all(in: document.body, base: document.bodyOffset) {
      func invalid(_ reason: String) -> ParseError {
        ParseError(.invalid(reason), in: "binary XML", at: chunk.offset)
      }
      switch chunk.type {
      case AndroidChunk.stringPool:
        guard strings == nil else { throw invalid("a second string pool") }
        strings = try AndroidStrings(chunk)
      case AndroidChunk.attributeNumbers:
        let body = chunk.body
        var reader = ByteReader(
          body.bytes, reading: "attribute numbers", base: chunk.bodyOffset)
        while reader.remaining >= 4 { numbers.append(try reader.read()) }
      case AndroidChunk.startElement:
        guard root == nil else { throw invalid("a second root") }
        guard let strings else { throw invalid("an element before the texts") }
        guard open.count < AppPackageLimits.depth else {
          throw ParseError(
            .limit(name: "elements within elements", value: AppPackageLimits.depth),
            in: "binary XML", at: chunk.offset)
        }
        let element = try element(chunk, strings, numbers)
        values += 1 + element.attributes.count
        guard values <= AppPackageLimits.values else {
          throw ParseError(
            .limit(name: "attributes", value: AppPackageLimits.values), in: "binary XML",
            at: chunk.offset)
        }
        open.append(element)
      case AndroidChunk.endElement:
        guard let element = open.popLast() else { throw invalid("an end without a start") }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
      default: break
      }
    }
    guard open.isEmpty, let root else {
      throw ParseError(.invalid("the document ends early"), in: "binary XML", at: bytes.count)
    }
    return root
  }

  private static func element(
    _ chunk: AndroidChunk, _ strings: AndroidStrings, _ numbers: [UInt32]
  ) throws(ParseError) -> AndroidElement {
    let body = chunk.body
    var reader = ByteReader(body.bytes, reading: "element", base: chunk.bodyOffset)
    try reader.skip(4)
    var element = AndroidElement(name: try strings.text(reader.read()) ?? "")
    let start: UInt16 = try reader.read()
    let size: UInt16 = try reader.read()
    let count: UInt16 = try reader.read()
    guard count == 0 || size >= 20 else {
      throw reader.error(.invalid("attributes of \(size) bytes"))
    }
    for index in 0..<Int(count) {
      try reader.seek(to: Int(start) + index * Int(size))
      let namespace = try strings.text(reader.read()) ?? ""
      let name: UInt32 = try reader.read()
      let written: UInt32 = try reader.read()
      try reader.skip(3)
      let type: UInt8 = try reader.read()
      let data: UInt32 = try reader.read()
      var value = try AndroidTypedValue.value(type: type, data: data, strings)
      if value == .other, let text = try strings.text(written) { value = .string(text) }
      element.attributes.append(
        AndroidElement.Attribute(
          resource: Int(name) < numbers.count ? numbers[Int(name)] : 0, namespace: namespace,
          name: try strings.text(name) ?? "", value: value))
    }
    return element
  }
}
