internal import Bytes
internal import Updates

/// A provisioning profile: a property list in a signed message.
///
/// The message (CMS, RFC 5652) is not parsed, and its signature is not checked: the list is found by
/// its first and last bytes, whatever the lengths around it say.
///
/// Source: Apple, TN3125, "Inside Code Signing: Provisioning Profiles".
enum ProvisioningProfile {
  static func read(_ bytes: ByteView) throws(ParseError) -> AppPackage.Provisioning {
    let array = bytes.array
    guard
      let start = Self.first("<?xml", in: array, from: 0)
        ?? Self.first("<plist", in: array, from: 0),
      let end = Self.first("</plist>", in: array, from: start)
    else {
      throw ParseError(.invalid("no property list"), in: "provisioning profile", at: 0)
    }
    let list = try PropertyList(parsing: bytes.clamped(start..<(end + 8)))
    let devices = list["ProvisionedDevices"]?.array.count ?? 0
    let isForAll = list["ProvisionsAllDevices"]?.boolean == true
    let name = (list["Name"]?.string ?? "").unicodeScalars.filter { !$0.isControl }
    return AppPackage.Provisioning(
      name: String(String(String.UnicodeScalarView(name)).trimmed.prefix(200)),
      kind: isForAll ? .enterprise : devices > 0 ? .adhoc : .other,
      expires: list["ExpirationDate"]?.date, devices: devices)
  }

  private static func first(_ text: String, in bytes: [UInt8], from start: Int) -> Int? {
    let text = Array(text.utf8)
    guard bytes.count >= start + text.count else { return nil }
    return (start...(bytes.count - text.count)).first { offset in
      bytes[offset] == text[0] && bytes[offset..<(offset + text.count)].elementsEqual(text)
    }
  }
}
