internal import Bytes
internal import Identifiers
internal import XML

/// Source: plist(5) of macOS; PropertyList-1.0.dtd.
extension PropertyList {
  init(_ document: XMLElement) throws(ParseError) {
    guard document.name == "plist", document.children.count == 1 else {
      throw ParseError(.notRecognised, in: "property list", at: 0)
    }
    try self.init(element: document.children[0])
  }

  /// The XML reader limits how deeply elements are nested.
  private init(element: XMLElement) throws(ParseError) {
    func invalid(_ reason: String) -> ParseError {
      ParseError(.invalid(reason), in: "property list", at: 0)
    }
    let text = element.text
    switch element.name {
    case "string": self = .string(text)
    case "true": self = .boolean(true)
    case "false": self = .boolean(false)
    case "integer": self = try Self.integer(text)
    case "real":
      guard let number = Double(Self.trimmed(text)) else { throw invalid("<real>\(text)</real>") }
      self = .real(number)
    case "date":
      guard let time = Timestamp(Self.trimmed(text)) else {
        throw invalid("<date>\(text)</date>")
      }
      self = .date(time)
    case "data":
      let digits = text.filter { !$0.isWhitespace }
      guard let data = Base64.decode(digits) else { throw invalid("data that is not Base64") }
      self = .data(data)
    case "array":
      var values: [PropertyList] = []
      for child in element.children { values.append(try PropertyList(element: child)) }
      self = .array(values)
    case "dict":
      var members: [String: PropertyList] = [:]
      var key: String?
      for child in element.children {
        if child.name == "key" {
          guard key == nil else { throw invalid("a key without a value") }
          key = child.text
        } else {
          guard let name = key else { throw invalid("a value without a key") }
          let value = try PropertyList(element: child)
          guard members.updateValue(value, forKey: name) == nil else {
            throw invalid("the key \(name) twice")
          }
          key = nil
        }
      }
      guard key == nil else { throw invalid("a key without a value") }
      self = .dictionary(members)
    default: throw invalid("<\(element.name)>")
    }
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  private static func integer(_ text: String) throws(ParseError) -> PropertyList {
    let text = trimmed(text)
    let isHex = text.hasPrefix("0x") || text.hasPrefix("0X")
    let digits = isHex ? String(text.dropFirst(2)) : text
    if let number = Int64(digits, radix: isHex ? 16 : 10) { return .integer(number) }
    guard let number = UInt64(digits, radix: isHex ? 16 : 10) else {
      throw ParseError(.invalid("<integer>\(text)</integer>"), in: "property list", at: 0)
    }
    return .unsigned(number)
  }
}
