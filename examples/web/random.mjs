// Chance that can be repeated: the same seed gives the same web on every machine. The steps are those of mulberry32.
export class Random {
  #state

  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  pick(choices) {
    return choices[this.below(choices.length)]
  }

  words(count) {
    return Array.from({ length: count }, () => this.pick(WORDS)).join(' ')
  }
}

const WORDS =
  `água alto amanhã banco barco cafeína campo canto casa cedo chuva cidade claro corda dança dedo dia doce escola
estrada estrela fala feira festa flor fogo folha fonte gente gesto grande grão hora ilha janela jardim jogo lado lago leite
lento letra linha livro longe lua lugar luz madeira mala manhã mapa mar mesa milho minas montanha mundo noite nome novo
olho onda ouro outono padaria pão parede passo pedra peixe perto pintura ponte porta praça praia quadro queijo quintal rede
rio roda rua sal serra sino sol som sorte tarde tempo terra tinta trem tronco vento verde viagem vida vila volta voz`.split(
    /\s+/,
  )
