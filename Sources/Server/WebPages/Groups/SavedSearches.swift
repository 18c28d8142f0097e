internal import Bytes
internal import CrashService
internal import HTTP
internal import Rendering
internal import ServerCore
internal import ServerStore

/// The searches that an account keeps: a menu above the list of groups.
struct SavedSearches {
  let call: PageCall

  init(_ call: PageCall) { self.call = call }

  func menu(of filter: GroupListFilter) throws -> HTML {
    let searches = try call.context.savedSearches.all(of: call.visitor.account.name)
    let here = filter.address { _ in }
    let rows = searches.map { search -> HTML in
      let current: HTML = search.address == here ? " aria-current=\"true\"" : .none
      return """
        <li><a href="\(SignInPages.localPath(search.address))"\(current)>\(search.name)</a> \
        <button name="remove" value="\(search.name)" class="small" aria-label="Remove \(search.name)">Remove</button></li>
        """
    }
    let back: HTML = "\(call.formField)<input type=\"hidden\" name=\"back\" value=\"\(here)\">"
    let list: HTML =
      rows.isEmpty
      ? .none
      : "<form method=\"post\" action=\"/searches\">\(back)<ul>\(rows)</ul></form>"
    let save: HTML =
      here == "/"
      ? "<p class=\"quiet\">To save a search, search first.</p>"
      : """
      <form method="post" action="/searches">\(back)\
      <p><label>Name <input name="save" value="\(call.typed("save", in: "/searches"))" required maxlength="\(SavedSearchesTable.longestName)"></label> \
      <button>Save this search</button></p></form>
      """
    return """
      <details class="menu saved"\(call.open("/searches"))><summary class="button">Saved searches</summary><div class="card">\(list)\(save)</div></details>
      """
  }

  /// The result of the last form, shown once.
  var message: HTML {
    let text: HTML? =
      switch call.request.query["searches"] {
      case "saved": "Search saved."
      case "removed": "Search removed."
      default: nil
      }
    return text.map { "<p class=\"message\" role=\"status\">\($0)</p>" } ?? .none
  }

  /// Saves or removes a search, and returns to the list.
  func change() throws -> Response {
    let account = call.visitor.account.name
    // Only lists of groups are kept.
    let items = QueryItems(form: String(SignInPages.localPath(call.form["back"]).dropFirst(2)))
    let list = GroupListFilter(items).address { _ in }
    var done = "removed"
    if let name = call.text("remove") {
      guard try call.context.savedSearches.remove(name, of: account) else {
        throw ServiceError("there is no saved search named '\(name)'", .notFound)
      }
    } else {
      guard let name = call.text("save") else {
        throw ServiceError("enter a name for the search", .wrongUsage)
      }
      try save(SavedSearch(name: name, address: list), of: account)
      done = "saved"
    }
    let mark = list.contains("?") ? "&" : "?"
    return .empty(.seeOther, headers: ["Location": "\(list)\(mark)searches=\(done)"])
  }

  private func save(_ search: SavedSearch, of account: String) throws {
    do {
      try call.context.savedSearches.save(search, of: account, now: call.now)
    } catch SavedSearchError.invalidName(let name) {
      throw ServiceError(
        "'\(name)' cannot be a name; use 1 to \(SavedSearchesTable.longestName) characters that can be shown",
        .wrongUsage)
    } catch SavedSearchError.tooLong {
      throw ServiceError("the search is too long to be saved", .wrongUsage)
    } catch SavedSearchError.tooMany {
      throw ServiceError(
        "you have \(SavedSearchesTable.most) saved searches; remove one first", .wrongUsage)
    }
  }
}
