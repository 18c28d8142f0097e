internal import Bytes
internal import CrashService
internal import HTTP
internal import Rendering
internal import ServerCore

/// The page that erases all data of a person, after a preview.
struct ErasureView {
  let call: PageCall

  init(_ call: PageCall) { self.call = call }

  private static let title = "Erasure"
  private static let path = "/server/erasure"

  /// The kind of id that names a person in the form.
  private enum Kind: String, CaseIterable {
    case user
    case install

    var name: String {
      switch self {
      case .user: "User"
      case .install: "Installation"
      }
    }
  }

  func response() -> Response { page(.none) }

  /// Previews an erasure, or erases. The person's id is sent in a form, not in an address, which logs and
  /// histories of browsers keep.
  func erase() throws -> Response {
    guard let kind = Kind(rawValue: call.form["kind"] ?? ""), let id = call.text("id") else {
      throw ServiceError("an erasure needs the id of a user or an installation", .wrongUsage)
    }
    let person = kind == .user ? ErasedPerson.user(id) : .install(id)
    let isDry = call.form["confirm"] == nil
    let result = try call.service.erase(person, isDry: isDry)
    guard !isDry else { return page(preview(result, kind, id)) }
    try call.note("erase", try Erasure(person, in: call.context.store).mark)
    return page(
      """
      <p class="message" role="status">Erased.\(pending(result, isDry: false))</p>
      \(counts(result))
      """)
  }

  /// - Parameter content: What the last form did, or would do.
  private func page(_ content: HTML) -> Response {
    let kinds = Kind.allCases.map { kind -> HTML in
      let mark = call.mark(
        " selected", "kind", kind.rawValue, in: Self.path, else: kind.rawValue == call.form["kind"])
      return "<option value=\"\(kind.rawValue)\"\(mark)>\(kind.name)</option>"
    }
    let id = call.form["confirm"] == nil ? call.form["id"] ?? "" : ""
    return ServerView(call).page(
      Self.title,
      """
      <p>Erases everything that came from a person, in all apps: reports with their attachments and everything \
      derived from them, sessions, events, and submissions that wait. Groups keep their ids and counts. Backups \
      and exports made before still have the data.</p>
      \(content)
      <form class="card" method="post" action="\(Self.path)">\(call.formField)
      <div class="fields"><label><span>Erase a</span><select name="kind">\(kinds)</select></label>
      <label class="grow"><span>Id in reports</span>\
      <input name="id" value="\(call.typed("id", in: Self.path, else: id))" required autocomplete="off" spellcheck="false"></label></div>
      <p><button>Show what would be erased</button></p></form>
      """)
  }

  private func preview(_ result: Erasure.Result, _ kind: Kind, _ id: String) -> HTML {
    let isNothing = result.parts.allSatisfy { $0.1 == 0 } && result.pending == 0
    guard !isNothing else {
      return """
        <p class="message" role="status">Nothing is stored of the \(kind.name.lowercased()) \
        <span class="mono">\(id)</span>.</p>
        """
    }
    return """
      <section><h2>Would be erased</h2>
      <p><span class="mono breaks">\(id)</span></p>
      \(counts(result))
      <p>This cannot be undone.\(pending(result, isDry: true))</p>
      <form method="post" action="\(Self.path)">\(call.formField)\
      <input type="hidden" name="kind" value="\(kind.rawValue)"><input type="hidden" name="id" value="\(id)">\
      <button class="primary" name="confirm" value="yes">Erase</button></form></section>
      """
  }

  private func pending(_ result: Erasure.Result, isDry: Bool) -> String {
    guard result.pending > 0 else { return "" }
    return " \(PageText.count(result.pending, "submission is", "submissions are")) still waiting; "
      + (isDry ? "these counts leave them out." : "they are erased when they are processed.")
  }

  private func counts(_ result: Erasure.Result) -> HTML {
    var table = CardTable([("What", .text), ("Count", .number)])
    for (name, count) in result.parts { table.add(["\(name)", "\(PageText.number(count))"]) }
    return table.markup
  }
}
