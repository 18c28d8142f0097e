extension String {
  /// The text with a line feed at the end of each line: browsers send the text of a form with CR LF.
  public var withUnixLineEnds: String {
    guard utf8.contains(0x0d) else { return self }
    return replacing("\r\n", with: "\n").replacing("\r", with: "\n")
  }
}
