internal import CrashService
internal import CrashStore
internal import Identifiers
internal import Query
internal import Rendering
internal import ServerCore
internal import ServerStore

/// The search above the list of groups: a query, and menus that edit it.
struct GroupSearch {
  let call: PageCall
  let filter: GroupListFilter
  let apps: GroupListApps

  /// The maximum number of releases and systems to choose from.
  private static let choices = 30
  /// The maximum number of characters of a choice.
  private static let longestChoice = 60

  func form() throws -> HTML {
    """
    <form class="search menus" action="/" role="search">
    <label class="grow"><span>Search</span>
    <input name="q" type="text" enterkeyhint="search" value="\(filter.text)" data-complete \
    placeholder="function:render version:&gt;=2.4 &quot;free text&quot;" autocomplete="off" spellcheck="false"></label>
    \(try menus())\(sort)\(hidden("status", filter.tab == .open ? "" : filter.tab.rawValue))\
    \(hidden("up", filter.isUp ? "1" : ""))
    <button>Search</button>
    </form>
    \(fields)
    """
  }

  // MARK: Menus

  private func menus() throws -> [HTML] {
    let releases = apps.releases
      // The systems that people use now come first.
      .sorted { ($0.lastSeen ?? $0.added) > ($1.lastSeen ?? $1.added) }
    var versions: [String] = []
    for record in releases
    where !record.release.version.isEmpty && !versions.contains(record.release.version) {
      versions.append(record.release.version)
    }
    return [
      apps.names.count > 1 ? menu(.app, apps.names.map { ($0, $0) }, "All") : .none,
      menu(.version, versions.prefix(Self.choices).map { ($0, $0) }, "All"),
      menu(.os, try systems(of: apps.chosen).map { ($0, $0) }, "All"),
      menu(.time, GroupListFilter.spans.map { ($0.0, $0.1) }, "Any time"),
    ]
  }

  private func systems(of app: String?) throws -> [String] {
    guard let field = QueryField(named: "os") else { return [] }
    return try call.context.store.search.values(
      of: field, holding: "", app: call.visitor.account.app ?? app, limit: Self.choices)
  }

  private func menu(
    _ menu: GroupListFilter.Menu, _ values: [(value: String, words: String)], _ none: String
  ) -> HTML {
    let chosen = filter.chosen(menu)
    guard !values.isEmpty || !chosen.isEmpty else { return .none }
    var values = [("", none)] + values
    if !values.contains(where: { $0.0 == chosen }) { values.insert((chosen, chosen), at: 1) }
    let options = values.map { value, words -> HTML in
      let mark: HTML = value == chosen ? " selected" : .none
      let shown =
        words.count > Self.longestChoice ? words.prefix(Self.longestChoice) + "…" : words[...]
      return "<option value=\"\(value)\"\(mark)>\(String(shown))</option>"
    }
    return """
      <label><span>\(menu.title)</span><select name="\(menu.rawValue)">\(options)</select></label>\
      \(hidden("was-" + menu.rawValue, chosen))
      """
  }

  /// For phones, on which the list has no header to sort it by. Elsewhere it is hidden, and keeps the order.
  private var sort: HTML {
    let orders: [(GroupOrder, String)] = [
      (.lastSeen, "Last seen"), (.reports, "Reports"), (.installs, "Users"),
      (.versions, "Releases"), (.firstSeen, "First seen"), (.change, "Change"),
    ]
    let options = orders.map { order, words -> HTML in
      let mark: HTML = order == filter.order ? " selected" : .none
      return "<option value=\"\(order.rawValue)\"\(mark)>\(words)</option>"
    }
    return """
      <label class="sort"><span>Sort</span><select name="sort">\(options)</select></label>\
      \(hidden("was-sort", filter.order.rawValue))
      """
  }

  private func hidden(_ name: String, _ value: String) -> HTML {
    value.isEmpty ? .none : "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
  }

  // MARK: Help

  /// The search fields, each with an example that a click adds to the query.
  private var fields: HTML {
    let rows = QueryField.all.map { field -> HTML in
      let longer = [filter.text, field.example].filter { !$0.isEmpty }.joined(separator: " ")
      return """
        <tr><td class="mono">\(field.name)</td><td>\(field.meaning)</td>\
        <td class="mono"><a href="\(filter.address { $0.text = longer })" rel="nofollow">\(field.example)</a></td></tr>

        """
    }
    return """
      <details class="help"><summary class="quiet">Fields</summary>
      <p class="quiet">All conditions must match. <code>-</code> before a condition negates it, <code>|</code> between \
      values means or, and <code>*</code> matches any text. Click an example to add it.</p>
      <div class="scroll"><table><thead><tr><th>Field</th><th>Meaning</th><th>Example</th></tr></thead>
      <tbody>\(rows)</tbody></table></div></details>
      """
  }
}
