/// A browser as far as signing in goes: it keeps cookies, follows redirects and sends forms.
public final class TesterBrowser {
  public private(set) var cookies: [String: String] = [:]
  public private(set) var page: WebClient.Answer?
  /// Address of the page.
  public private(set) var path = ""
  /// The address of another program that the page leads to.
  public private(set) var handedOver: String?
  private let send: (String, String, [String], [UInt8]?) -> WebClient.Answer?

  public init(_ send: @escaping (String, String, [String], [UInt8]?) -> WebClient.Answer?) {
    self.send = send
  }

  public func open(_ path: String) { load("GET", path, nil) }

  /// Sends the form of the page that has this field or button.
  ///
  /// - Returns: Whether there is one.
  public func submit(_ fields: [String: String] = [:]) -> Bool {
    guard let text = page?.text else { return false }
    for form in text.split(separator: "<form").dropFirst() {
      let form = form.prefix(upTo: form.firstRange(of: "</form>")?.lowerBound ?? form.endIndex)
      guard fields.keys.allSatisfy({ form.contains("name=\"\($0)\"") }) else { continue }
      let action = Self.attribute("action", in: form) ?? path
      var items = fields.map { ($0.key, $0.value) }
      for input in form.split(separator: "<input").dropFirst() {
        let input = input.prefix { $0 != ">" }
        guard input.contains("type=\"hidden\""), let name = Self.attribute("name", in: input) else {
          continue
        }
        items.append((name, Self.attribute("value", in: input) ?? ""))
      }
      let body = items.map { UpdateAddress.encoded($0.0) + "=" + UpdateAddress.encoded($0.1) }
      load("POST", action, Array(body.joined(separator: "&").utf8))
      return true
    }
    return false
  }

  /// The addresses of the links of the page.
  public var links: [String] {
    (page?.text ?? "").split(separator: "<a ").dropFirst().compactMap { part in
      Self.attribute("href", in: part.prefix { $0 != ">" })
    }
  }

  private func load(_ method: String, _ target: String, _ body: [UInt8]?) {
    var (method, target, body) = (method, target, body)
    handedOver = nil
    for _ in 0..<5 {
      var headers: [String] = []
      if !cookies.isEmpty {
        headers.append(
          "Cookie: "
            + cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            .joined(separator: "; "))
      }
      if body != nil {
        headers.append("Content-Type: application/x-www-form-urlencoded")
        headers.append("Origin: http://test")
      }
      path = target
      page = send(method, target, headers, body)
      guard let page else { return }
      keepCookie(page.headers["set-cookie"])
      guard [301, 302, 303, 307, 308].contains(page.status), let next = page.headers["location"]
      else {
        // A page may redirect by itself.
        if let refresh = page.headers["refresh"], let mark = refresh.firstRange(of: "url=") {
          handedOver = String(refresh[mark.upperBound...])
        }
        return
      }
      guard next.hasPrefix("/") || next.hasPrefix("http") else {
        handedOver = next
        return
      }
      target = next.hasPrefix("/") ? next : UpdateAddress.path(of: next) ?? "/"
      if page.status == 303 || (page.status == 302 && method == "POST") {
        (method, body) = ("GET", nil)
      }
    }
  }

  private func keepCookie(_ field: String?) {
    guard let field else { return }
    let parts = field.split(separator: ";").map { $0.drop { $0 == " " } }
    guard
      let pair = parts.first?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false),
      pair.count == 2
    else { return }
    cookies[String(pair[0])] = parts.contains("Max-Age=0") ? nil : String(pair[1])
  }

  private static func attribute(_ name: String, in tag: some StringProtocol) -> String? {
    let tag = String(tag)
    guard let start = tag.firstRange(of: name + "=\"") else { return nil }
    var text = String(tag[start.upperBound...].prefix { $0 != "\"" })
    for (entity, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
    ] {
      text = text.split(separator: entity, omittingEmptySubsequences: false).joined(
        separator: character)
    }
    return text
  }
}
