/// Names that provoke each production of the grammar, with what `llvm-nm -C` of LLVM 21 prints of them.
///
/// Most are Clang's for a program of C++23; the others are written by hand.
enum ItaniumNames {
  static let all: [(name: String, text: String)] = [
    ("_Zli3_kme", "operator\"\" _km(long double)"),
    ("_Z1fDF16_", "f(_Float16)"),
    ("_Z1fDF16b", "f(std::bfloat16_t)"),
    ("_Z1fDk1C", "f(C auto)"),
    ("_Z1fDK1C", "f(C decltype(auto))"),
    ("_Z1fDh", "f(half)"),
    ("_Z1fDB7_S_", "f(_BitInt(7), _BitInt(7))"),
    ("_Z1fDU7_", "f(unsigned _BitInt(7))"),
    ("_Z1fu3fooIiE", "f(foo(int))"),
    ("_Z1fu3foo", "f(foo)"),
    ("_Z1fILf3fc00000EEvv", "void f<0x1.8p+0f>()"),
    ("_Z1fILe3fff8000000000000000EEvv", "void f<0x8p-3L>()"),
    ("_Z1fILd3ff8000000000000EEvv", "void f<0x1.8p+0>()"),
    ("_Z1fU11matrix_typeIiE1A", "f(A matrix_type<int>)"),
    ("_Z1fPU13objcproto3Foo11objc_object", "f(id<Foo>)"),
    ("_Z1fPU13objcproto3Foo3Foo", "f(Foo<Foo>*)"),
    (
      "_ZZ1fvENKUlTyT_E_clIiEEDaS_",
      "auto f()::'lambda'<typename $T>($T)::operator()<int>($T) const"
    ),
    (
      "_ZZ1fvENKUlTnPiT_E_clIiEEDaS_",
      "auto f()::'lambda'<int* $N>($N)::operator()<int>(int*) const"
    ),
    (
      "_ZZ1fvENKUlTtTyETpTyTk1CT_E_clIiEEDaS_",
      "auto f()::'lambda'<template<typename $T> typename $TT, typename ...$T0, C $T1>($TT)::operator()<int>($TT) const"
    ),
    ("_Z1fIiEvT_Q1CIS0_E", "void f<int>(int) requires C<int>"),
    ("_ZN1A1fEvQ1C", "A::f() requires C"),
    ("_ZN1AcvT_IiEEv", "A::operator int<int>()"),
    ("_ZN1AIiEcvT_Ev", "A<int>::operator int()"),
    ("_Z1fDv4_f", "f(float vector[4])"),
    ("_Z1fDv4_p", "f(pixel vector[4])"),
    ("_Z1fDv_f", "f(float vector[])"),
    ("_Z1fPDoFviE", "f(void (*)(int) noexcept)"),
    ("_Z1fPDwiEFviE", "f(void (*)(int) throw(int))"),
    (
      "_ZNSsC1Ev",
      "std::basic_string<char, std::char_traits<char>, std::allocator<char>>::basic_string()"
    ),
    ("_ZNSoD2Ev", "std::basic_ostream<char, std::char_traits<char>>::~basic_ostream()"),
    ("___Z1fv_block_invoke", "invocation function for block in f()"),
    ("___Z1fv_block_invoke_2.cold", "invocation function for block in f()"),
    ("_Z1fPA3_A4_i", "f(int (*) [3][4])"),
    ("_Z1fRA3_KFvvE", "f(void  (&) [3]() const)"),
    ("_Z1fM1AFvvE", "f(void (A::*)())"),
    ("_Z1fM1Ai", "f(int A::*)"),
    ("_Z1fIJEEvDpT_", "void f<>()"),
    ("_Z1fIJicEEvDpPFvT_E", "void f<int, char>(void (*)(int), void (*)(char))"),
    ("_Z1fDp1A", "f(A...)"),
    ("_Z1fIXgtLi1ELi2EEEvv", "void f<(1 > 2)>()"),
    ("_Z1fIiEDTgtltLi1ELi2ELi3EEv", "decltype((1 < 2 > 3)) f<int>()"),
    ("_Z1fIXsoiLi1E2__pEEEvv", "void f<1.<int at offset 2>>()"),
    ("_Z1fIXu8__uuidoftiEEvv", "void f<__uuidof(int)>()"),
    ("_Z1fILb0ETnibLi1EEvv", "void f<false, bool, 1>()"),
    ("_Z1fDSDAs", "f(_Sat short _Accum)"),
    ("_Z1fDRm", "f(unsigned long _Fract)"),
    ("_ZN1AW1mW1nF1fEv", "A::friend f@m.n()"),
    ("_ZNW1mWP1p1fEv", "f@m:p()"),
    ("_ZGIW3foo", "initializer for module foo"),
    ("_ZDC1a1bE", "[a, b]"),
    ("_ZTC1A0_1B", "construction vtable for B-in-A"),
    ("_ZThn16_N1A1fEv", "non-virtual thunk to A::f()"),
    ("_ZTv0_n24_N1A1fEv", "virtual thunk to A::f()"),
    ("_ZTcv0_n24_v0_n32_N1A1fEv", "covariant return thunk to A::f()"),
    ("_ZGV1a", "guard variable for a"),
    ("_ZGR1a_", "reference temporary for a"),
    ("_ZTW1a", "thread-local wrapper routine for a"),
    ("_ZTH1a", "thread-local initialization routine for a"),
    ("_ZTAXtl1SLi1EEE", "template parameter object for S{1}"),
    ("_ZNH1A1fES_i", "A::f(this A, int)"),
    ("_ZN1ACI11BEi", "A::A(int)"),
    ("_ZZ1fvE1x_0", "f()::x"),
    ("_ZZ1fvEs", "f()::string literal"),
    ("_ZZ1fiEd_NKUlvE_clEv", "f(int)::'lambda'()::operator()() const"),
    ("_Zli3_kme", "operator\"\" _km(long double)"),
    ("_Z1fTs1A", "f(struct A)"),
    ("_Z1fCfGd", "f(float complex, double imaginary)"),
    ("_ZN12_GLOBAL__N_11aE", "(anonymous namespace)::a"),
    ("_ZL1fv", "f()"),
    ("_ZNK1A1fEv.isra.0", "A::f() const (.isra.0)"),
    (
      "_ZNSt12_Vector_baseIiSaIiEE12_Vector_implD2Ev",
      "std::_Vector_base<int, std::allocator<int>>::_Vector_impl::~_Vector_impl()"
    ),
    ("_ZN1n2v11AB3tagD1Ev", "n::v1::A[abi:tag]::~A()"),
    ("_ZTW4etls", "thread-local wrapper routine for etls"),
    ("_ZNKSt8functionIFiiEEclEi", "std::function<int (int)>::operator()(int) const"),
    (
      "_ZNSt12_Vector_baseIiSaIiEE17_Vector_impl_dataC2Ev",
      "std::_Vector_base<int, std::allocator<int>>::_Vector_impl_data::_Vector_impl_data()"
    ),
    ("_ZSt19__throw_logic_errorPKc", "std::__throw_logic_error(char const*)"),
    ("_ZN3FrTIiEF3fr2ES0_Q1CIT_E", "FrT<int>::friend fr2(FrT<int>) requires C<T>"),
    (
      "_ZN1n2v11AB3tagcvPT_ISt6vectorIiSaIiEEEEv",
      "n::v1::A[abi:tag]::operator std::vector<int, std::allocator<int>>*<std::vector<int, std::allocator<int>>>()"
    ),
    ("_ZN12_GLOBAL__N_12An1fEv", "(anonymous namespace)::An::f()"),
    (
      "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_lengthEm",
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>::_M_length(unsigned long)"
    ),
    (
      "_ZN2VtINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEED2Ev",
      "Vt<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>>::~Vt()"
    ),
    (
      "_ZNSt10_Head_baseILm0EOiLb0EEC2IiEEOT_",
      "std::_Head_base<0ul, int&&, false>::_Head_base<int>(int&&)"
    ),
    ("_Z3ntLILe3fff8000000000000000EEvv", "void ntL<0x8p-3L>()"),
    ("_ZNKSt14_Function_base8_M_emptyEv", "std::_Function_base::_M_empty() const"),
    ("_ZN2bb1gEv", "bb::g()"),
    ("_ZTcv0_n24_v0_n24_N2Dv1wEv", "covariant return thunk to Dv::w()"),
    ("_ZNSt11_Tuple_implILm0EJiEEC2Ev", "std::_Tuple_impl<0ul, int>::_Tuple_impl()"),
    ("_Z3ntDILd8000000000000000EEvv", "void ntD<-0x0p+0>()"),
    (
      "_ZN2PkIJiEE2ixIJLi0ELi1ELi2EEEEvSt16integer_sequenceIiJXspT_EEE",
      "void Pk<int>::ix<0, 1, 2>(std::integer_sequence<int, 0, 1, 2>)"
    ),
    ("_ZN2ffIiEEvT_2FrQ1CIS0_E", "void ff<int>(int, Fr) requires C<int>"),
    (
      "_Z2ntITnDaXtl2UntlNS0_Ut_Edi1fLf3f800000EEEEEvv",
      "void nt<Un{Un::'unnamed'{.f = 0x1p+0f}}>()"
    ),
    ("_Z2ntITnDaXtl1SLi1ELd4000000000000000EL1E1EEEEvv", "void nt<S{1, 0x1p+1, (E)1}>()"),
    ("_Z2ntITnDaLs2EEvv", "void nt<(short)2>()"),
    ("_ZN2VtIiEaSERKi", "Vt<int>::operator=(int const&)"),
    ("_Z3ntsIJLi1ELc99ELd4000000000000000EEEvv", "void nts<1, (char)99, 0x1p+1>()"),
    ("_Z2ttISt6vectoriEvT_IJT0_EE", "void tt<std::vector, int>(std::vector<int>)"),
    ("_ZN3MemD2Ev", "Mem::~Mem()"),
    (
      "_Z2r4IiQrQT_i_XplfL0p_fL0p0_XmlfL0p_Li2ENXplfL0p_Li1ERSt14convertible_toIiETSt6vectorIS0_SaIS0_EEQ1CIS0_EEEvS0_",
      "void r4<int>(T)"
    ),
    ("_Z2ntIXadL_ZNK1G1fEiEEEvv", "void nt<&G::f(int) const>()"),
    ("_ZN2VtIiEnaEm", "Vt<int>::operator new[](unsigned long)"),
    (
      "_ZN12_GLOBAL__N_14anonINS_2AnEEET_S2_",
      "(anonymous namespace)::An (anonymous namespace)::anon<(anonymous namespace)::An>((anonymous namespace)::An)"
    ),
    ("_Z3ntDILd7ff0000000000000EEvv", "void ntD<inf>()"),
    ("_ZDC3sb13sb2E", "[sb1, sb2]"),
    ("_Z3tt3I2CCEvv", "void tt3<CC>()"),
    ("_Z5fold1IJidEEDTfrplfp_EDpT_", "decltype(((fp...) + ...)) fold1<int, double>(int, double)"),
    ("_Z3fr23FrTIiE", "fr2(FrT<int>)"),
    ("_Z3cvrIiEvRKT_OVS0_PKPS0_", "void cvr<int>(int const&, int volatile&&, int* const*)"),
    (
      "_ZNSt9_Any_data9_M_accessIN3Mem1fMUliE_EEERT_v",
      "Mem::f::'lambda'(int)& std::_Any_data::_M_access<Mem::f::'lambda'(int)>()"
    ),
    (
      "_ZNSt15__new_allocatorIiE10deallocateEPim",
      "std::__new_allocator<int>::deallocate(int*, unsigned long)"
    ),
    (
      "_ZNSt12_Destroy_auxILb1EE9__destroyIPiEEvT_S3_",
      "void std::_Destroy_aux<true>::__destroy<int*>(int*, int*)"
    ),
    ("_Zli3_kme", "operator\"\" _km(long double)"),
    ("_ZNSaIcED2Ev", "std::allocator<char>::~allocator()"),
    ("_Z2mpIXadL_ZN1G1mEEEEvv", "void mp<&G::m>()"),
    ("_ZGRZ2rtB5cxx11vE1rB5cxx11_", "reference temporary for rt[abi:cxx11]()::r[abi:cxx11]"),
    ("_Z2ntITnDaXadsoiL_Z4garrE8EEEvv", "void nt<&garr.<int at offset 8>>()"),
    ("_Z2ntILc99EEvv", "void nt<(char)99>()"),
    ("_ZN1n2v11AB3tagD2Ev", "n::v1::A[abi:tag]::~A()"),
    (
      "_Z3sz2IJEESt17integral_constantIiXsZT_EEDpT_",
      "std::integral_constant<int, sizeof...()> sz2<>()"
    ),
    ("_Z2ntITnDaXadL_Z2giEEEvv", "void nt<&gi>()"),
    ("_Z2r5IiiEvT_T0_", "void r5<int, int>(int, int)"),
    ("_Z2ntIXtl2UntlNS0_Ut_Edi1fLf3f800000EEEEEvv", "void nt<Un{Un::'unnamed'{.f = 0x1p+0f}}>()"),
    ("_ZN2VtIiED5Ev", "Vt<int>::~Vt()"),
    (
      "_ZNSt5tupleIJOiOcEEC2IicTnNSt9enable_ifIXclsr4_TCCIXntcl14__is_alloc_argIT_EEEEE29__is_implicitly_constructibleIS5_T0_EEEbE4typeELb1EEEOS5_OS6_",
      "std::tuple<int&&, char&&>::tuple<int, char, true>(int&&, char&&)"
    ),
    (
      "_ZNSt16allocator_traitsISaIiEE10deallocateERS0_Pim",
      "std::allocator_traits<std::allocator<int>>::deallocate(std::allocator<int>&, int*, unsigned long)"
    ),
    ("_Z2ntITnDaL1E0EEvv", "void nt<(E)0>()"),
    ("_ZTV2B2", "vtable for B2"),
    (
      "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7_M_dataEv",
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>::_M_data() const"
    ),
    (
      "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm",
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>::_M_create(unsigned long&, unsigned long)"
    ),
    (
      "_ZZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE12_M_constructIPKcEEvT_S8_St20forward_iterator_tagEN6_GuardD2Ev",
      "void std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>::_M_construct<char const*>(char const*, char const*, std::forward_iterator_tag)::_Guard::~_Guard()"
    ),
    ("_Z2ntILDn0EEvv", "void nt<nullptr>()"),
    ("_Zcm1Z1G", "operator,(Z, G)"),
    (
      "_ZNSt16allocator_traitsISaIcEE10deallocateERS0_Pcm",
      "std::allocator_traits<std::allocator<char>>::deallocate(std::allocator<char>&, char*, unsigned long)"
    ),
    (
      "_ZNSt11_Tuple_implILm0EJOiOcEEC2IiJcEvEEOT_DpOT0_",
      "std::_Tuple_impl<0ul, int&&, char&&>::_Tuple_impl<int, char, void>(int&&, char&&)"
    ),
    ("_ZNSaIiED2Ev", "std::allocator<int>::~allocator()"),
    (
      "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED2Ev",
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>::~basic_string()"
    ),
    ("_ZTI3Inh", "typeinfo for Inh"),
    ("_Z3ntsITpTnDaJLi1ELc99ELd4000000000000000EEEvv", "void nts<1, (char)99, 0x1p+1>()"),
    (
      "_ZNSt16allocator_traitsISaIcEE8allocateERS0_m",
      "std::allocator_traits<std::allocator<char>>::allocate(std::allocator<char>&, unsigned long)"
    ),
    ("_Z2tnIiLi3EEvv", "void tn<int, 3>()"),
    (
      "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE16_M_get_allocatorEv",
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>::_M_get_allocator() const"
    ),
    ("_ZNSt9_Any_data9_M_accessEv", "std::_Any_data::_M_access()"),
    ("_Z2tnIiTnT_Li3EEvv", "void tn<int, 3>()"),
    (
      "_ZTI2VtINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEE",
      "typeinfo for Vt<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>>"
    ),
    ("_ZNSt14_Function_baseC2Ev", "std::_Function_base::_Function_base()"),
    ("_ZN2B11vEv", "B1::v()"),
    ("_Z2vsILi4EEvDvT__f", "void vs<4>(float vector[4])"),
    ("_Z2ntITnDaXtlZ3usevE3$_0EEEvv", "void nt<use()::$_0{}>()"),
    (
      "_Z3pk2IJicEEvSt5tupleIJDpOT_EEDpPFvS1_E",
      "void pk2<int, char>(std::tuple<int&&, char&&>, void (*)(int), void (*)(char))"
    ),
    ("_Z3ntSIXtl1SLi1EEEEvv", "void ntS<S{1}>()"),
    ("_ZTI2B1", "typeinfo for B1"),
    ("_Z2ntITnDaLd3ff8000000000000EEvv", "void nt<0x1.8p+0>()"),
    (
      "_ZNSt19__ptr_traits_ptr_toIPKcS0_Lb0EE10pointer_toERS0_",
      "std::__ptr_traits_ptr_to<char const*, char const, false>::pointer_to(char const&)"
    ),
    (
      "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6lengthEv",
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>::length() const"
    ),
    ("_ZTV3Inh", "vtable for Inh"),
    (
      "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE8max_sizeEv",
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>::max_size() const"
    ),
    ("_Z3ntFILf4048f5c3EEvv", "void ntF<0x1.91eb86p+1f>()"),
    ("_Zss1Z1G", "operator<=>(Z, G)"),
    ("_Z2ntIXtlZ3usevE3$_0EEEvv", "void nt<use()::$_0{}>()"),
    ("_ZTV2B1", "vtable for B1"),
    ("_ZNK1G1fEi", "G::f(int) const"),
    (
      "_Z3sz3IJicEESt17integral_constantIiXsZfp_EEDpT_",
      "std::integral_constant<int, sizeof... (fp)> sz3<int, char>(int, char)"
    ),
    ("_ZTS3Inh", "typeinfo name for Inh"),
    ("_ZN2VtIiED0Ev", "Vt<int>::~Vt()"),
    ("_ZNSt15__new_allocatorIiEC2Ev", "std::__new_allocator<int>::__new_allocator()"),
    ("_ZN3InhD2Ev", "Inh::~Inh()"),
    ("_Z2tnI1ETnT_LS0_0EEvv", "void tn<E, (E)0>()"),
    ("_Z2tnI1ELS0_0EEvv", "void tn<E, (E)0>()"),
    ("_ZTSN1n2v11AB3tagE", "typeinfo name for n::v1::A[abi:tag]"),
    ("_Z4declI2TIEvPDtsrT_1xENS1_1IIiE4typeE", "void decl<TI>(decltype(TI::x)*, TI::I<int>::type)"),
    ("_ZZN3Mem3defEiEd_NKUliE_clEi", "Mem::def(int)::'lambda'(int)::operator()(int) const"),
    ("_Z2ntIXadL_ZN1G1mEEEEvv", "void nt<&G::m>()"),
    ("_ZTI2Dv", "typeinfo for Dv"),
    ("_ZNSt4pairIilEC2Ev", "std::pair<int, long>::pair()"),
    (
      "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7_M_dataEPc",
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>::_M_data(char*)"
    ),
    ("_ZTV2VtIiE", "vtable for Vt<int>"),
    ("_Z3ptrIXadsoiL_Z4garrEEEEvv", "void ptr<&garr.<int at offset 0>>()"),
    ("_Z2ntITnDaXadsoiL_Z2ggEEEEvv", "void nt<&gg.<int at offset 0>>()"),
    ("_ZSt8_DestroyIPiEvT_S1_", "void std::_Destroy<int*>(int*, int*)"),
    (
      "_ZNSt16allocator_traitsISaIcEE8max_sizeERKS0_",
      "std::allocator_traits<std::allocator<char>>::max_size(std::allocator<char> const&)"
    ),
    (
      "_ZNSt9_Any_data9_M_accessIPN3Mem1fMUliE_EEERT_v",
      "Mem::f::'lambda'(int)*& std::_Any_data::_M_access<Mem::f::'lambda'(int)*>()"
    ),
  ]
}
