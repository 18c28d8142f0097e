package import OpenIDConnect
package import ServerStore

/// Settings for sign-in through an identity provider or a proxy.
package struct SignInSettings: Sendable {
  /// An identity provider, and who gets an account from it.
  package struct Provider: Sendable {
    /// The claim that names an account.
    package enum Name: String, Sendable, CaseIterable {
      case userName = "preferred_username"
      /// Only if the provider has verified it.
      case email
    }

    package var provider: IdentityProvider
    /// The provider's name on the button.
    package var label: String
    package var name: Name
    /// The role of accounts created at the first sign-in; `nil` creates none.
    package var role: Account.Role?
    /// Only people with a verified email address of this domain may sign in; `nil` for all.
    package var domain: String?
    /// Only members of this group may sign in; `nil` for all.
    package var group: String?

    package init(
      provider: IdentityProvider, label: String, name: Name, role: Account.Role?, domain: String?,
      group: String?
    ) {
      self.provider = provider
      self.label = label
      self.name = name
      self.role = role
      self.domain = domain
      self.group = group
    }
  }

  /// A trusted proxy that signs people in and sends their names.
  package struct Proxy: Sendable {
    /// The header with the name; accepted only from a trusted proxy.
    package var header: String
    /// The role of accounts created at the first sign-in; see ``Provider/role``.
    package var role: Account.Role?

    package init(header: String, role: Account.Role?) {
      self.header = header
      self.role = role
    }
  }

  package var provider: Provider?
  package var proxy: Proxy?
  /// The server's public address, without a trailing slash; `nil` uses the request's `Host`, which the client
  /// chooses.
  package var serverURL: String?

  package init(provider: Provider? = nil, proxy: Proxy? = nil, serverURL: String? = nil) {
    self.provider = provider
    self.proxy = proxy
    self.serverURL = serverURL
  }
}
