internal import Rendering

/// The form of a list that decides about several groups.
struct GroupBulkForm {
  let call: PageCall
  let filter: GroupListFilter
  /// The last line of the histories when the list was read.
  let seen: Int

  /// Its first button does nothing, because Enter in a field presses it.
  func markup() throws -> HTML {
    let app = filter.chosen(.app)
    let menu = try AssigneeMenu(for: call, apps: app.isEmpty ? [] : [app]).markup()
    return """
      <form id="several" class="bulk" method="post" action="/groups">\(call.formField)\(MeanwhileChanges.field(seen))\
      <input type="hidden" name="back" value="\(filter.address { ($0.after, $0.before) = (filter.after, filter.before) })">
      <button disabled hidden></button>
      <button name="action" value="resolve" title="Fixed after the newest release in which each was seen">Resolve</button>
      <button name="action" value="ignore" title="For good">Ignore</button>
      <button name="action" value="reopen">Reopen</button>
      <details class="menu"\(call.open("/groups"))><summary class="button">More</summary><div class="card">
      <p><label>Assign to \(menu)</label> <button name="action" value="assign">Assign</button></p>
      <p><button name="action" value="merge-first">Merge into the first selected</button></p>
      <p><label>Merge into <input name="into" value="\(call.typed("into", in: "/groups"))" placeholder="TERN-12"></label> \
      <button name="action" value="merge">Merge</button></p>
      </div></details>
      </form>
      """
  }
}
