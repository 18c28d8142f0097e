internal import Rendering

extension PageCall {
  /// A button that asks before it removes something.
  ///
  /// - Parameters:
  ///   - action: Where the form is sent.
  ///   - value: The value of its field `do`; `nil` where the address names the action.
  ///   - question: Names it, and the consequences.
  func removal(
    _ action: String, _ button: String, value: String? = nil, asks question: String
  ) -> HTML {
    let name: HTML = value.map { " name=\"do\" value=\"\($0)\"" } ?? .none
    return """
      <details class="menu removal"><summary class="button small">\(button)…</summary>\
      <form class="card" method="post" action="\(action)">\(formField)<p>\(question)</p>\
      <p><button class="small danger"\(name)>\(button)</button></p></form></details>
      """
  }
}
