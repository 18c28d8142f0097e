internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import Scrubbing
internal import ServerCore

/// The rules that remove secrets from reports, and a preview on a sample text.
struct ScrubbingView {
  let call: PageCall

  /// The maximum size of a rules file in bytes.
  private static let longestRules = 1 << 16
  /// The maximum size of a sample text in bytes.
  private static let longestSample = 1 << 16

  init(_ call: PageCall) { self.call = call }

  private var settings: any HomeSettings { call.context.store.settings }

  func response() throws -> Response {
    if let fields = call.refused?.fields {
      return ServerView(call).page(
        "Scrubbing", form(fields["rules"] ?? "", sample: fields["sample"] ?? "", result: .none))
    }
    return ServerView(call).page("Scrubbing", form(try rules(), sample: "", result: .none))
  }

  /// The rules as they were written, or the default rules written out if there are none.
  private func rules() throws -> String {
    try settings.scrubRules(limit: Self.longestRules)?.text ?? "[scrub]\nuse = secrets\n"
  }

  private func form(_ rules: String, sample: String, result: HTML) -> HTML {
    let lists = ScrubRules.known.map { "<dt>\($0.name)</dt><dd>\($0.purpose)</dd>" as HTML }
    return """
      <p>Reports are scrubbed before they are stored. Rules apply from the next submission on.</p>
      \(result)
      <form method="post" action="/server/scrubbing">\(call.formField)
      <p><label>Rules<textarea class="code" name="rules" rows="12" spellcheck="false">
      \(HTML(edited: rules))</textarea></label></p>
      <details><summary>Built-in lists</summary><dl>\(lists)</dl></details>
      <p><label>Sample text<textarea class="code" name="sample" rows="6" spellcheck="false" \
      placeholder="POST /login user=jo@example.com password=hunter2">
      \(HTML(edited: sample))</textarea></label></p>
      <p class="actions"><button name="do" value="preview">Preview</button>\
      <button name="do" value="save" class="primary">Save rules</button></p></form>
      """
  }

  func change() throws -> Response {
    // Browsers send CR LF line breaks.
    let text = (call.form["rules"] ?? "").replacing("\r\n", with: "\n")
    let sample = (call.form["sample"] ?? "").replacing("\r\n", with: "\n")
    guard text.utf8.count <= Self.longestRules, sample.utf8.count <= Self.longestSample else {
      throw ServiceError("rules and sample text can have at most 64 KiB each", .wrongUsage)
    }
    let server = ServerView(call)
    let rules: ScrubRules
    do {
      rules = try ScrubRules(parsing: ByteView(text.utf8))
    } catch let error as ScrubError {
      var response = server.page(
        "Scrubbing",
        form(
          text, sample: sample,
          result: """
            <p class="message mono" role="alert">line \(error.line): \(error.reason)</p>
            """))
      if call.form["do"] != "preview" { response.status = .badRequest }
      return response
    }
    switch call.form["do"] {
    case "preview":
      let scrubber = try Scrubber(rules)
      let bytes = ByteView(sample.utf8)
      let finds = scrubber.finds(in: bytes)
      let after = scrubber.scrub(file: bytes).text
      return server.page(
        "Scrubbing",
        form(
          text, sample: sample,
          result: """
            <section class="card" role="status" aria-label="Preview">\
            <p>\(GroupText.count(finds.count, "text", "texts")) would be removed. Nothing is saved yet.</p>
            <pre class="message" tabindex="0">\(HTML(edited: after))</pre></section>
            """))
    case "save":
      try settings.setScrubRules(ByteView(text.utf8), replacing: true)
      try call.note("set scrubbing rules", rules.version)
      return .empty(.seeOther, headers: ["Location": "/server/scrubbing"])
    default: throw ServiceError("unknown action", .notFound)
    }
  }
}
