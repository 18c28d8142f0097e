extension String {
  /// The text with all characters percent-encoded except unreserved ones (RFC 3986 2.3).
  package var inAddress: String {
    var text = ""
    for byte in utf8 {
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "~":
        text.unicodeScalars.append(scalar)
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    return text
  }
}
