internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ServerStore
internal import WebServer

/// Images whose debug files are missing, those first that would explain the most reports.
struct SymbolsView {
  let call: PageCall

  private static let rows = 100

  init(_ call: PageCall) { self.call = call }

  private var upload: HTML {
    guard call.visitor.account.allows(.symbols) else { return .none }
    return """
      <form class="card drop" method="post" action="/symbols" enctype="multipart/form-data">\(call.formField)
      <p><label for="file">Debug files: dSYM bundles as zip, ELF, PDB, Breakpad, mappings, archives of them</label></p>
      <p><input id="file" type="file" name="file" multiple required> <button class="primary">Upload</button></p></form>
      """
  }

  func response() throws -> Response {
    let (images, total) = try call.service.missingImages(of: nil, app: nil, limit: Self.rows)
    let rows = images.map { image -> HTML in
      let advice = SymbolAdvice(for: image)
      let id = image.debugID?.description ?? image.codeID?.description ?? "no id in the reports"
      let words = advice.text.map { "<p>\($0)</p>" as HTML }
      let commands = advice.commands.map { "\($0)\n" as HTML }
      let run: HTML = commands.isEmpty ? .none : "<pre class=\"message\">\(commands)</pre>"
      let builds = image.builds.suffix(3).map { "\($0.app) \($0.release.name)" }
      return """
        <tr\(image.isOwn ? .none : " class=\"quiet\"" as HTML)><td><b>\(image.name.isEmpty ? "no name" : image.name)</b> \
        <span class="quiet">\(image.architecture?.description ?? "")</span>\
        <div class="mono small">\(id)</div><div class="quiet small">\(builds.joined(separator: ", "))</div>\
        <details><summary>How to get it</summary>\(words)\(run)</details></td>\
        <td class="number">\(PageText.number(image.reports))</td>\
        <td class="number">\(PageText.number(image.groups))</td></tr>

        """
    }
    let list: HTML =
      rows.isEmpty
      ? """
      <p class="empty">No debug file is missing. Upload those of each build:</p>
      <pre class="message">mayday upload build/ --to \(call.request.head.origin)</pre>
      """
      : """
      <p class="quiet">\(PageText.number(rows.count)) of \(PageText.number(total)) images, \
      those first that would explain the most reports.</p>
      <div class="scroll"><table><thead><tr><th>Image</th><th class="number">Reports</th>\
      <th class="number">Groups</th></tr></thead><tbody>\(rows)</tbody></table></div>
      """
    return call.page(
      "Missing symbols", in: .symbols, "<h1>Missing symbols</h1>\n\(upload)\n\(list)")
  }
}
