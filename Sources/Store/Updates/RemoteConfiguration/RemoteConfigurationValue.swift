internal import Bytes

/// A value of a document and its path, read as a client's decoder reads it.
struct RemoteConfigurationValue {
  let value: SourceJSON
  private let path: RemoteConfigurationPath

  init(_ value: SourceJSON, at path: RemoteConfigurationPath = RemoteConfigurationPath()) {
    self.value = value
    self.path = path
  }

  func error(_ problem: String, at key: String? = nil) -> RemoteConfigurationError {
    var path = path
    if let key { path.append(key: key) }
    return RemoteConfigurationError(problem, at: path.text)
  }

  private func wanted(_ what: String) -> RemoteConfigurationError {
    error("\(what) is expected, not \(value.kind)")
  }

  // MARK: Objects and lists

  /// A required member.
  func member(_ key: String) throws(RemoteConfigurationError) -> RemoteConfigurationValue {
    guard let member = try optional(key) else { throw error("is missing", at: key) }
    return member
  }

  /// A member that may be absent. `null` is refused, as clients treat it differently.
  func optional(_ key: String) throws(RemoteConfigurationError) -> RemoteConfigurationValue? {
    guard case .object(let members) = value.content else { throw wanted("an object") }
    guard let member = members.first(where: { $0.key == key }) else {
      // A decoder treats a key in another letter case as another key, without an error, and uses the default.
      if let near = members.first(where: { $0.key.lowercased() == key.lowercased() }) {
        throw error("the key is written '\(key)'", at: near.key)
      }
      return nil
    }
    var path = path
    path.append(key: key)
    return RemoteConfigurationValue(member.value, at: path)
  }

  private func elements() throws(RemoteConfigurationError) -> [RemoteConfigurationValue] {
    guard case .array(let elements) = value.content else { throw wanted("an array") }
    return elements.enumerated().map { index, element in
      var path = path
      path.append(index: index)
      return RemoteConfigurationValue(element, at: path)
    }
  }

  // MARK: Texts

  func string() throws(RemoteConfigurationError) -> String {
    guard case .string(let text) = value.content else { throw wanted("a string") }
    return text
  }

  private func nonEmpty() throws(RemoteConfigurationError) -> String {
    let text = try string()
    guard text.contains(where: { !$0.isWhitespace }) else { throw error("is empty") }
    return text
  }

  private func flag() throws(RemoteConfigurationError) -> Bool {
    guard case .bool(let flag) = value.content else { throw wanted("true or false") }
    return flag
  }

  /// A keyword in exactly its letter case.
  func word<Word: RawRepresentable & CaseIterable>(
    _: Word.Type
  ) throws(RemoteConfigurationError) -> Word where Word.RawValue == String {
    let text = try string()
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue)
      let near = words.first { $0 == text.lowercased() }
      throw error(
        "'\(text.prefix(40).description.printable)' is not one of \(words.joined(separator: ", "))"
          + (near.map { "; did you mean \($0)?" } ?? ""))
    }
    return word
  }

  func version() throws(RemoteConfigurationError) -> String {
    let text = try nonEmpty()
    guard text.utf8.count <= RemoteConfiguration.Limits.version, text == text.printable else {
      throw error("is not a version")
    }
    return text
  }

  /// An address that clients can open. Decoders on older systems refuse addresses that RFC 3986 does not
  /// allow.
  func url() throws(RemoteConfigurationError) -> String {
    let text = try nonEmpty()
    guard text.utf8.count <= RemoteConfiguration.Limits.url else {
      throw error("is longer than \(RemoteConfiguration.Limits.url) bytes")
    }
    if let problem = RemoteConfigurationURL.problem(of: text) { throw error(problem) }
    return text
  }

  /// Prefixes of system versions: `12`, `12.4`.
  func systemVersions() throws(RemoteConfigurationError) -> [String] {
    try elements().map { element throws(RemoteConfigurationError) in
      let text = try element.string()
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      // `12.` is 12 and not 120.
      let numbers = parts.count > 1 && parts.last?.isEmpty == true ? parts.dropLast() : parts[...]
      guard text.utf8.count <= 20, !numbers.isEmpty,
        numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } })
      else { throw element.error("is not the start of a system's version, such as 12 or 12.4") }
      return text
    }
  }

  // MARK: Alerts

  func alerts(
    for kind: RemoteConfiguration.Kind
  ) throws(RemoteConfigurationError) -> [RemoteConfiguration.Alert] {
    try elements().map { element throws(RemoteConfigurationError) in try element.alert(for: kind) }
  }

  private func alert(
    for kind: RemoteConfiguration.Kind
  ) throws(RemoteConfigurationError) -> RemoteConfiguration.Alert {
    let language = try optional("languageCode")
    let region = try optional("regionCode")
    let list = try member("options")
    let options = try list.elements().map { element throws(RemoteConfigurationError) in
      RemoteConfiguration.Alert.Option(
        try element.member("title").nonEmpty(),
        isUpdate: try element.optional("isUpdateAction")?.flag() ?? false)
    }
    let alert = RemoteConfiguration.Alert(
      language: try language?.nonEmpty(), region: try region?.nonEmpty(),
      title: try member("title").string(), text: try member("text").string(), options: options)
    // These are compared exactly with the device's.
    if let text = alert.language, !Self.isCode(text, of: "a"..."z", 2...3) {
      throw error("is not a language such as de", at: "languageCode")
    }
    if let text = alert.region,
      !Self.isCode(text, of: "A"..."Z", 2...2), !Self.isCode(text, of: "0"..."9", 3...3)
    {
      throw error("is not a region such as DE", at: "regionCode")
    }
    guard kind != .ignore else { return alert }
    guard !options.isEmpty else { throw list.error("at least one option is needed") }
    // The device's language determines the alert that a client shows, so each must be usable.
    guard alert.leadsToUpdate else {
      throw list.error("one option needs \"isUpdateAction\": true in a \(kind.rawValue) update")
    }
    return alert
  }

  private static func isCode(
    _ text: String, of letters: ClosedRange<Unicode.Scalar>, _ length: ClosedRange<Int>
  ) -> Bool {
    length.contains(text.unicodeScalars.count) && text.unicodeScalars.allSatisfy(letters.contains)
  }
}
